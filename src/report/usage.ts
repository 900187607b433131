/** What `photon --help` says. */
import { inputs } from '../settings.ts';

/** Inputs that mean something only on GitHub. */
const onGitHub: ReadonlySet<string> = new Set([
  'github-token',
  'base',
  'branch-prefix',
  'draft',
  'labels',
  'api-key',
  'untrusted-text',
]);

export const usage = `photon: one task, one verified patch

  photon run --repo DIR --task TEXT    work on a git repository at its HEAD commit
      --apply                          write the verified patch into the work tree
      --watch-skills                   skills of the work tree, read again as they change
      --out DIR                        folder for patch, outcome, ledger and session
${optionLines()}
  photon init [--repo DIR]             write workflow, configuration and constitution
      --model NAME                     a model behind an API key; none without it
      --schedule                       a weekly run with a first maintenance task
      --ref REF                        version of Photon, v2; a commit is the safest
      --dry-run                        print the files, write none
  photon validate [--repo DIR]         check configuration, constitution, profile and skills
  photon skills list [--repo DIR]      the allowlist: versions, tools, bounds
  photon skills check [DIR...]         is each complete: role and plan from its interface alone
  photon skills new NAME [--in DIR]    start a skill (.photon/skills)
  photon doctor                        what this machine can give: git, sandbox and its walls
  photon audit FILE [--head HASH]      judge a run again from its ledger.jsonl
  photon session show|diff FILE        what a run changed and did, from its session.db
  photon session export FILE           its patch as a file (--out, session.patch)
  photon session commit FILE           its patch as a commit on a new branch (--repo, --branch)
  photon memory list|export            the long-term records: of a checkout (--repo DIR), or of a
                                       repository on GitHub (--on OWNER/NAME, GITHUB_TOKEN)
  photon memory show|forget ID         one record, with where it comes from; take it away
  photon memory search WORDS           records that hold the words, best first
  photon memory accept|drop RUN        what waits of a local run: keep it, or not
  photon workflow run NAME [--repo DIR] the tasks of .photon/workflows/NAME.yml, each one run, as
                                       commits on photon/workflow-NAME; goes on where it stopped
      --from TASK                      start there, and run again what depends on it
  photon workflow status NAME          how far it is (exit status 1 behind a failure)
  photon workflow approve NAME TASK    a task that waits for a review is done
  photon workflow validate [NAME]      check one workflow file, or all
  photon replay FILE [--repo DIR]      run again with the replies of a replies.jsonl, no network
  photon demo                          the whole job on a sample repository, without key or account
  photon codes [CODE]                  what a code means and what to do
  photon --version | --help

The model: PHOTON_API_KEY, PHOTON_BASE_URL and PHOTON_MODEL, or the options above.
Exit status: 0 done or nothing to do, 1 failed, 2 the command line cannot be read.
`;

function optionLines(): string {
  return Object.entries(inputs)
    .filter(([name]) => !onGitHub.has(name) && name !== 'task')
    .map(([name, about]) => {
      const fallback = 'default' in about ? ` (${about.default})` : '';
      return `      --${name.padEnd(30)} ${about.description.split('. ')[0]}${fallback}`;
    })
    .join('\n');
}
