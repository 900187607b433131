/** What `--help` says of each command, as data. */
import type { InputFacts } from '../settings/table.ts';

/** A term and what it means: one row of two columns. */
export type Row = readonly [term: string, meaning: string];

/** What the help of a command says. */
export interface CommandHelp {
  /** One line: what the command does. */
  readonly about: string;
  /** The forms of the command behind `photon`, each with its meaning; empty if `about` says it. */
  readonly usage: readonly Row[];
  readonly flags: readonly Row[];
  /** The settings of a run that are options of the command, too. */
  readonly settings?: (input: InputFacts, name: string) => boolean;
  readonly examples: readonly string[];
}

const repoFlag: Row = ['--repo <dir>', 'Folder of the repository (default: .)'];
const outFlag: Row = [
  '--out <dir>',
  'Folder for patch, outcome, ledger and session (default: a temporary folder)',
];
const quietFlag: Row = ['--quiet', 'Print no progress, and of a success only the result'];
const settingsFlag: Row = [
  '--config-from <commit|work-tree>',
  'Where configuration, constitution, skills and profile come from (default: commit). Not in a job',
];
const onFlag: Row = ['--on <owner/name>', 'Repository on GitHub. It needs GITHUB_TOKEN.'];

/** Settings that an evaluation has options of its own for. */
const ownOfEval: ReadonlySet<string> = new Set(['max-cost', 'timeout-minutes', 'config']);

/** True for a setting of a run that is an option of `photon eval`, too. */
export function isEvalSetting(input: InputFacts, name: string): boolean {
  return !input.githubOnly && !input.perTask && !ownOfEval.has(name);
}

/** The commands, in the order of the help. */
export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  run: {
    about: 'Carry out a task on a local git repository, starting from its HEAD commit.',
    usage: [['run --task <text> [flags]', '']],
    flags: [
      repoFlag,
      [
        '--apply',
        'Write the verified patch into the work tree, instead of only a file (back: photon undo)',
      ],
      ['--json', 'Print the outcome as JSON on standard output'],
      quietFlag,
      settingsFlag,
      ['--watch-skills', 'Read skills from the work tree, and read them again when they change'],
      [
        '--out <dir>',
        'Folder for patch, outcome, ledger and session (default: .photon/runs, where photon runs finds them)',
      ],
    ],
    settings: input => !input.githubOnly,
    examples: [
      'photon run --task "Fix the failing date tests" --apply',
      'photon run --repo ../shop --task "Add a --json flag" --model gpt-5 --max-cost 2',
    ],
  },
  ask: {
    about: 'Answer a question about the code of a local git repository. Nothing is changed.',
    usage: [['ask <text> [flags]', '']],
    flags: [repoFlag, outFlag, quietFlag, settingsFlag],
    settings: input => !input.githubOnly && !input.perTask,
    examples: ['photon ask "Where is the discount of an order computed?"'],
  },
  runs: {
    about: 'List the runs that the repository keeps, newest first: at most 50, and 500 MB.',
    usage: [['runs [flags]', '']],
    flags: [
      repoFlag,
      ['--json', 'Print the list as JSON'],
      ['--html', 'Write .photon/runs/index.html, which leads to the report of each run'],
    ],
    examples: ['photon runs'],
  },
  stats: {
    about: 'Sum up many runs: how they ended, what became of their pull requests, and their cost.',
    usage: [['stats [<file or folder>...] [flags]', 'Default: the runs that the repository keeps']],
    flags: [
      repoFlag,
      ['--on <owner/name>', 'Ask GitHub about the pull requests of this repository (GITHUB_TOKEN)'],
      ['--since <day>', 'Only what began on this day or later, such as 2026-01-31'],
      ['--branch-prefix <text>', 'Beginning of the branches of Photon (default: photon/)'],
      ['--json', 'Print the sums as JSON'],
    ],
    examples: ['photon stats', 'photon stats artifacts/ --on octo-org/shop --since 2026-01-01'],
  },
  show: {
    about: 'Show how a run ended, its patch and its files.',
    usage: [['show [<run>] [flags]', 'A run by its id, or as last, which is the default']],
    flags: [repoFlag, ['--patch', 'Print the patch only'], ['--json', 'Print the outcome as JSON']],
    examples: ['photon show', 'photon show fd33a856 --patch'],
  },
  apply: {
    about: 'Write the verified patch of a run into the work tree (back: photon undo).',
    usage: [['apply [<run>] [flags]', 'A run by its id, or as last, which is the default']],
    flags: [repoFlag],
    examples: ['photon apply', 'photon apply fd33a856'],
  },
  undo: {
    about:
      'Take back what photon apply or run --apply wrote last. Repeat it to take back earlier runs.',
    usage: [['undo [flags]', '']],
    flags: [
      repoFlag,
      ['--list', 'Show the runs that can be undone, newest first'],
      ['--dry-run', 'Check and show what would be undone, without changing a file'],
    ],
    examples: ['photon undo --list', 'photon undo --dry-run', 'photon undo'],
  },
  init: {
    about: 'Write a workflow, a configuration and a constitution for a repository.',
    usage: [['init [flags]', '']],
    flags: [
      repoFlag,
      ['--on <owner/name>', 'Repository on GitHub (default: the remote origin)'],
      [
        '--open-pull-request',
        'Write nothing here: open a pull request on GitHub, or update it. It needs GITHUB_TOKEN, of an App or a person',
      ],
      ['--model <name>', 'Model behind an API key (default: the embedded engine, without a key)'],
      ['--schedule', 'Add a weekly run with a first maintenance task'],
      ['--ref <ref>', 'Version of Photon: tag, branch or, safest, a commit (default: v2)'],
      ['--dry-run', 'Print the files without writing them'],
    ],
    examples: [
      'photon init --dry-run',
      'photon init --model gpt-5 --schedule',
      'photon init --open-pull-request --on octo/shop',
    ],
  },
  validate: {
    about: 'Check configuration, constitution, profile and skills of a work tree.',
    usage: [['validate [flags]', '']],
    flags: [
      repoFlag,
      ['--config <file>', 'Configuration file (default: .photon/config.json)'],
      ['--agent-profile <profile>', 'Profile to check instead of the configured one'],
    ],
    examples: ['photon validate'],
  },
  skills: {
    about: 'List, check and adopt skills, or start a new one.',
    usage: [
      ['skills list [flags]', 'List the allowed skills: versions, tools and limits'],
      ['skills check [<dir>...]', 'Check that skills are complete (default: the allowed skills)'],
      [
        'skills adopt <dir> [--write]',
        'Show what skills of other agents lack to grant tools, as a diff',
      ],
      ['skills new <name> [--in <dir>]', 'Create a skill'],
    ],
    flags: [
      repoFlag,
      ['--config <file>', 'Configuration file (default: .photon/config.json)'],
      ['--write', 'Add what adopt shows to the files, to be reviewed'],
      ['--in <dir>', 'Folder for the new skill (default: .photon/skills)'],
    ],
    examples: ['photon skills list', 'photon skills new release-notes'],
  },
  accept: {
    about: 'Try once, on a scratch repository and at model vendors, what a run needs of them.',
    usage: [['accept [flags]', '']],
    flags: [
      ['--on <owner/name>', 'A repository of yours on GitHub (GITHUB_TOKEN); all is taken back'],
      ['--model <names>', 'Models to use, such as openai=gpt-5,anthropic=claude-sonnet-4-5'],
      ['--yes', 'Do not ask before it begins'],
      ['--json', 'Print the checks as JSON'],
    ],
    examples: [
      'GITHUB_TOKEN=… photon accept --on octo/scratch --yes',
      'OPENAI_API_KEY=… photon accept',
    ],
  },
  doctor: {
    about: 'Show what this machine provides, and which test command the project shows.',
    usage: [
      ['doctor [flags]', 'Examine the machine and the project'],
      [
        'doctor --model [<name>]',
        'Ask the model endpoint instead: tools, stream, parallel calls, window',
      ],
    ],
    flags: [
      repoFlag,
      settingsFlag,
      ['--on <owner/name>', 'Also check this repository on GitHub. It needs GITHUB_TOKEN.'],
      [
        '--agent-profile <profile>',
        'Profile that the model must fit (default: the configured one)',
      ],
    ],
    examples: ['photon doctor', 'photon doctor --on octo-org/shop', 'photon doctor --model gpt-5'],
  },
  audit: {
    about: 'Judge a finished run again from its ledger.',
    usage: [['audit <ledger.jsonl> [flags]', '']],
    flags: [
      ['--head <hash>', 'Expected head of the ledger (default: that of outcome.json next to it)'],
    ],
    examples: ['photon audit ledger.jsonl'],
  },
  verify: {
    about: 'Check that commit, tree, patch, ledger and statement of a run belong together.',
    usage: [
      ['verify <outcome.json> [flags]', 'Check the run in that folder'],
      ['verify <commit> --run <dir>', 'Find the run that delivered the commit'],
      ['verify <number> --on <owner/name>', 'Fetch the run of a pull request from GitHub'],
      ['verify <address of a pull request>', 'The same'],
    ],
    flags: [
      repoFlag,
      ['--run <dir>', 'Folder that holds the files of runs (default: .photon/runs)'],
      ['--on <owner/name>', 'Repository of the pull request on GitHub. It needs GITHUB_TOKEN.'],
      ['--bundle <file>', 'Signed bundle to compare with the statement of the run'],
      ['--rerun', 'Run the tests again, before the patch and with it'],
      ['--json', 'Print the checks as JSON'],
    ],
    examples: ['photon verify photon-20261123/outcome.json', 'photon verify 12 --on octo-org/shop'],
  },
  session: {
    about: 'Show what a run changed and did, or export its patch.',
    usage: [
      ['session show <session.db>', 'Show changes and tool calls'],
      ['session diff <session.db>', 'Print the patch'],
      ['session export <session.db>', 'Write the patch to a file'],
      ['session commit <session.db>', 'Commit the patch on a new branch'],
      ['session commands <session.db>', 'List the commands that ran, each in a few lines'],
    ],
    flags: [
      ['--out <file>', 'File for export (default: session.patch)'],
      ['--repo <dir>', 'Repository for commit (default: .)'],
      ['--branch <name>', 'Branch for commit (default: photon/session-<run>)'],
      ['--json', 'Print all of the commands as JSON, complete'],
    ],
    examples: ['photon session diff session.db | git apply'],
  },
  memory: {
    about: 'Read and manage the long-term records of a repository.',
    usage: [
      ['memory list', 'List records, and changes that wait for a review'],
      ['memory show <id>...', 'Show a record and where it comes from'],
      ['memory search <text>...', 'Find records by their text, best match first'],
      ['memory forget <id>...', 'Delete a record'],
      ['memory export', 'Print all records as JSON'],
      ['memory accept <run>...', 'Apply the pending changes of a local run'],
      ['memory drop <run>...', 'Discard the pending changes of a local run'],
    ],
    flags: [repoFlag, onFlag, ['--out <file>', 'File for export (default: standard output)']],
    examples: ['photon memory search flaky test', 'photon memory list --on octo-org/shop'],
  },
  workflow: {
    about: 'Run tasks in dependency order on a branch, one run per task.',
    usage: [
      ['workflow run <name> [flags]', 'Run .photon/workflows/<name>.yml, or continue it'],
      ['workflow status <name>', 'Show progress. The exit status is 1 after a failure.'],
      ['workflow approve <name> <task>', 'Approve a task that waits for a review'],
      ['workflow validate [<name>]', 'Check one workflow file, or all of them'],
    ],
    flags: [
      repoFlag,
      ['--from <task>', 'Start at this task, and run again everything that depends on it'],
      ['--apply', 'Also write each patch and the manifest into the work tree, after each task'],
      quietFlag,
      outFlag,
      settingsFlag,
    ],
    settings: input => !input.githubOnly && !input.perTask,
    examples: ['photon workflow run upgrade', 'photon workflow run upgrade --from tests'],
  },
  mcp: {
    about:
      'Serve constitution, manifest, skills, outcomes and audits to agents over MCP, read-only.',
    usage: [
      ['mcp [flags]', ''],
      ['mcp digest <name> [flags]', 'Print the tools of a server of mcp.servers, and their digest'],
    ],
    flags: [
      repoFlag,
      ['--out <dir>', 'Folder with the results of runs (default: the repository)'],
      [
        '--sandbox-read <path,...>',
        'digest: further paths of the machine that the server may read',
      ],
      ['--config <file>', 'digest: configuration file (default: .photon/config.json)'],
    ],
    examples: [
      'photon mcp --repo ../shop',
      'photon mcp digest files',
      'claude mcp add photon -- photon mcp',
    ],
  },
  replay: {
    about: 'Repeat a recorded run with its recorded replies, in the sandbox.',
    usage: [['replay <replies.jsonl> [flags]', '']],
    flags: [
      repoFlag,
      outFlag,
      ['--allow-commands', "Allow recorded commands that are not the repository's own"],
    ],
    examples: ['photon replay replies.jsonl --repo ../shop'],
  },
  eval: {
    about: 'Measure how well Photon would do on this repository: past commits are played as tasks.',
    usage: [
      ['eval [flags]', 'Find tasks, play them, and report'],
      ['eval find [flags]', 'Only find tasks'],
      ['eval report <dir>... [flags]', 'Report on the results of parts'],
    ],
    flags: [
      repoFlag,
      ['--commits <n>', 'Look at so many commits (default: 200)'],
      ['--since <date>', 'Look at no older commits, such as 2026-01-31 or "6 months ago"'],
      ['--tasks <file>', 'Play the tasks of a file of JSON lines instead (docs/eval.md)'],
      ['--limit <n>', 'Play at most so many tasks (default: 20)'],
      ['--seed <text>', 'Choose the tasks by this text (default: 1)'],
      ['--part <n/m>', 'Take only this part of the commits or tasks, such as 2/5'],
      ['--prompt <kind>', 'What a run is told: subject, tests or both (default: both)'],
      ['--hide-tests', 'Keep the tests of the commit from the run (default with --tasks)'],
      ['--oracle', 'Play the known fix in place of a model: what do the rules refuse?'],
      ['--config <file>', "Configuration in place of the repository's"],
      settingsFlag,
      ['--against <file>', 'Compare with an eval.json, or with another configuration'],
      ['--parallel <n>', 'Play so many tasks at a time (default: 1)'],
      ['--max-cost <amount>', 'Start no run that could cost more than what is left of this'],
      ['--timeout <minutes>', 'Most minutes of one run'],
      ['--fresh', 'Play tasks again that were played earlier'],
      ['--out <dir>', 'Folder for eval.json and predictions.jsonl'],
      ['--html <file>', 'Write the report as one HTML file, too'],
      ['--json', 'Print the evaluation as JSON'],
      ['--quiet', 'Print no progress'],
    ],
    settings: isEvalSetting,
    examples: [
      'photon eval find --since "6 months ago"',
      'photon eval --model gpt-5 --limit 10 --max-cost 5 --html report.html',
      'photon eval --oracle --limit 50',
    ],
  },
  demo: {
    about: 'Show a complete run on a sample repository, without key or account.',
    usage: [['demo', '']],
    flags: [],
    examples: ['photon demo'],
  },
  codes: {
    about: 'Explain the stable codes: what each means and what to do.',
    usage: [['codes [<code>]', '']],
    flags: [],
    examples: ['photon codes VERIFY_FAILED'],
  },
};

/** The variables that the terminal reads. */
export const environment: readonly Row[] = [
  ['PHOTON_API_KEY', 'Key for the model endpoint'],
  ['PHOTON_BASE_URL', 'Address of the model endpoint'],
  ['PHOTON_MODEL', 'Name of the model'],
  ['GITHUB_TOKEN', 'Token for --on'],
];
