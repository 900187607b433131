/** What `photon --help` says, as a whole and of one command. */
import { type InputName, inputs } from '../settings/settings.ts';

/** Inputs that mean something only on GitHub; the terminal does not take them. */
export const onGitHubOnly: ReadonlySet<InputName> = new Set<InputName>([
  ...([
    'github-token',
    'app-id',
    'private-key',
    'key-exchange-url',
    'key-exchange-audience',
  ] as const),
  ...(['base', 'branch-prefix', 'draft', 'labels', 'delivery', 'base-moved'] as const),
  ...(['reviewers', 'team-reviewers', 'assignees', 'milestone', 'auto-merge'] as const),
  ...(['dispatch-workflow', 'mode', 'workflow', 'from', 'row', 'outcomes', 'staged'] as const),
  ...(['trigger-label', 'trigger-assignee', 'allowed-users', 'allowed-teams'] as const),
  ...(['allowed-bots', 'approve-by-other', 'forks', 'untrusted-text'] as const),
]);

/** The lines of each command. */
const lines: Readonly<Record<string, string>> = {
  run: `  photon run --repo DIR --task TEXT    work on a git repository at its HEAD commit
      --apply                          write the verified patch into the work tree
      --watch-skills                   skills of the work tree, read again as they change
      --out DIR                        folder for patch, outcome, ledger and session`,
  init: `  photon init [--repo DIR]             write workflow, configuration and constitution
      --model NAME                     a model behind an API key; none without it
      --schedule                       a weekly run with a first maintenance task
      --ref REF                        version of Photon, v2; a commit is the safest
      --dry-run                        print the files, write none`,
  validate: `  photon validate [--repo DIR]         check configuration, constitution, profile and skills`,
  skills: `  photon skills list [--repo DIR]      the allowlist: versions, tools, bounds
  photon skills check [DIR...]         is each complete: role and plan from its interface alone
  photon skills new NAME [--in DIR]    start a skill (.photon/skills)`,
  doctor: `  photon doctor                        what this machine can give: git, sandbox and its walls
      --on OWNER/NAME                  and what the repository lets Actions do (GITHUB_TOKEN)`,
  audit: `  photon audit FILE [--head HASH]      judge a run again from its ledger.jsonl`,
  session: `  photon session show|diff FILE        what a run changed and did, from its session.db
  photon session export FILE           its patch as a file (--out, session.patch)
  photon session commit FILE           its patch as a commit on a new branch (--repo, --branch)`,
  memory: `  photon memory list|export            the long-term records: of a checkout (--repo DIR), or of a
                                       repository on GitHub (--on OWNER/NAME, GITHUB_TOKEN)
  photon memory show|forget ID         one record, with where it comes from; take it away
  photon memory search WORDS           records that hold the words, best first
  photon memory accept|drop RUN        what waits of a local run: keep it, or not`,
  workflow: `  photon workflow run NAME [--repo DIR] the tasks of .photon/workflows/NAME.yml, each one run, as
                                       commits on photon/workflow-NAME; goes on where it stopped
      --from TASK                      start there, and run again what depends on it
  photon workflow status NAME          how far it is (exit status 1 behind a failure)
  photon workflow approve NAME TASK    a task that waits for a review is done
  photon workflow validate [NAME]      check one workflow file, or all`,
  replay: `  photon replay FILE [--repo DIR]      run again with the replies of a replies.jsonl, in the sandbox
      --allow-commands                 also its commands that are not the repository's own`,
  demo: `  photon demo                          the whole job on a sample repository, without key or account`,
  codes: `  photon codes [CODE]                  what a code means and what to do`,
};

/** Commands that carry out tasks, and so take the options of a run. */
const running: ReadonlySet<string> = new Set(['run', 'workflow']);

const end = `The model: PHOTON_API_KEY, PHOTON_BASE_URL and PHOTON_MODEL, or the options of a run.
Exit status: 0 done or nothing to do, 1 failed, 2 the command line cannot be read.
`;

/** Help on one command; on all of them when it is none. */
export function usageOf(command: string): string {
  if (!Object.hasOwn(lines, command)) {
    const all = Object.values(lines).join('\n');
    return `photon: one task, one verified patch

${all}
  photon --version | --help
  photon COMMAND --help                one command; of run and workflow with the options of a run

${end}`;
  }
  const options = running.has(command) ? `\nOptions of a run:\n${optionLines()}\n\n${end}` : '';
  return `${lines[command]}\n${options}`;
}

function optionLines(): string {
  return Object.entries(inputs)
    .filter(([name]) => !onGitHubOnly.has(name as InputName) && name !== 'task')
    .map(([name, about]) => {
      const fallback = 'default' in about ? ` (${about.default})` : '';
      return `      --${name.padEnd(30)} ${about.description.split('. ')[0]}${fallback}`;
    })
    .join('\n');
}
