import{inputs as e}from"../settings/settings.js";const t=new Set(`github-token.app-id.private-key.key-exchange-url.key-exchange-audience.base.branch-prefix.draft.labels.delivery.base-moved.reviewers.team-reviewers.assignees.milestone.auto-merge.dispatch-workflow.mode.workflow.from.row.outcomes.staged.trigger-label.trigger-assignee.allowed-users.allowed-teams.allowed-bots.approve-by-other.forks.untrusted-text`.split(`.`)),n={run:`  photon run --repo DIR --task TEXT    work on a git repository at its HEAD commit
      --apply                          write the verified patch into the work tree
      --watch-skills                   skills of the work tree, read again as they change
      --out DIR                        folder for patch, outcome, ledger and session`,init:`  photon init [--repo DIR]             write workflow, configuration and constitution
      --model NAME                     a model behind an API key; none without it
      --schedule                       a weekly run with a first maintenance task
      --ref REF                        version of Photon, v2; a commit is the safest
      --dry-run                        print the files, write none`,validate:`  photon validate [--repo DIR]         check configuration, constitution, profile and skills`,skills:`  photon skills list [--repo DIR]      the allowlist: versions, tools, bounds
  photon skills check [DIR...]         is each complete: role and plan from its interface alone
  photon skills new NAME [--in DIR]    start a skill (.photon/skills)`,doctor:`  photon doctor                        what this machine can give: git, sandbox and its walls
      --on OWNER/NAME                  and what the repository lets Actions do (GITHUB_TOKEN)`,audit:`  photon audit FILE [--head HASH]      judge a run again from its ledger.jsonl`,session:`  photon session show|diff FILE        what a run changed and did, from its session.db
  photon session export FILE           its patch as a file (--out, session.patch)
  photon session commit FILE           its patch as a commit on a new branch (--repo, --branch)`,memory:`  photon memory list|export            the long-term records: of a checkout (--repo DIR), or of a
                                       repository on GitHub (--on OWNER/NAME, GITHUB_TOKEN)
  photon memory show|forget ID         one record, with where it comes from; take it away
  photon memory search WORDS           records that hold the words, best first
  photon memory accept|drop RUN        what waits of a local run: keep it, or not`,workflow:`  photon workflow run NAME [--repo DIR] the tasks of .photon/workflows/NAME.yml, each one run, as
                                       commits on photon/workflow-NAME; goes on where it stopped
      --from TASK                      start there, and run again what depends on it
  photon workflow status NAME          how far it is (exit status 1 behind a failure)
  photon workflow approve NAME TASK    a task that waits for a review is done
  photon workflow validate [NAME]      check one workflow file, or all`,replay:`  photon replay FILE [--repo DIR]      run again with the replies of a replies.jsonl, in the sandbox
      --allow-commands                 also its commands that are not the repository's own`,demo:`  photon demo                          the whole job on a sample repository, without key or account`,codes:`  photon codes [CODE]                  what a code means and what to do`},r=new Set([`run`,`workflow`]),i=`The model: PHOTON_API_KEY, PHOTON_BASE_URL and PHOTON_MODEL, or the options of a run.
Exit status: 0 done or nothing to do, 1 failed, 2 the command line cannot be read.
`;function a(e){if(!Object.hasOwn(n,e))return`photon: one task, one verified patch

${Object.values(n).join(`
`)}
  photon --version | --help
  photon COMMAND --help                one command; of run and workflow with the options of a run

${i}`;let t=r.has(e)?`\nOptions of a run:\n${o()}\n\n${i}`:``;return`${n[e]}\n${t}`}function o(){return Object.entries(e).filter(([e])=>!t.has(e)&&e!==`task`).map(([e,t])=>{let n=`default`in t?` (${t.default})`:``;return`      --${e.padEnd(30)} ${t.description.split(`. `)[0]}${n}`}).join(`
`)}export{t as onGitHubOnly,a as usageOf};