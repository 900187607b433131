/** vitest, jest and mocha by their options: what makes the JSON report, what stops early, where hooks come in. Data. */

/** What the hooks of a runner are put together from. */
export interface Hooked {
  readonly words: readonly string[];
  /** Folder of the copy that holds the hooks. */
  readonly folder: string;
  /** What `configuration` printed. */
  readonly own: string;
}

export interface JsonRunner {
  readonly program: string;
  /** Options of the project's own command that are left out, by name. */
  readonly dropped: RegExp;
  /** Those of them whose value is the next word. */
  readonly valued: RegExp;
  /** Words behind the project's own that have the report written. */
  readonly report: (path: string) => readonly string[];
  /** Words that end the run at the first failure. */
  readonly bail: readonly string[];
  /** Words that leave other test files out, of all that there are. */
  readonly only: (tests: readonly string[], all: readonly string[]) => readonly string[];
  /** Programs of `assets/runners/` that keep the lines of each case. */
  readonly hooks: readonly string[];
  /** The whole command with the hooks. */
  readonly hooked: (given: Hooked) => readonly string[];
  /** True for the one that can be kept warm. */
  readonly warm?: boolean;
  /** Words that have the runner print its configuration. */
  readonly configuration?: readonly string[];
}

const vitest: JsonRunner = {
  program: 'vitest',
  warm: true,
  dropped:
    /^(--reporter|--outputFile(\..+)?|--coverage(\..+)?|--watch|-w|--ui|--open|--bail|--api|--run|--maxWorkers|--minWorkers)$/,
  valued: /^(--reporter|--outputFile|--bail|--maxWorkers|--minWorkers)$/,
  report: path => [
    ...['--run', '--reporter=json', `--outputFile=${path}`, '--coverage.enabled=false'],
    // copies run beside each other already
    '--maxWorkers=1',
  ],
  bail: ['--bail=1'],
  only: tests => tests,
  hooks: ['lines-vitest.mjs', 'vitest-lines.mjs'],
  // the set-up files of a project can be added to by its programming interface alone
  hooked: ({ words, folder }) => ['node', `${folder}/vitest-lines.mjs`, ...words.slice(1)],
};

const jest: JsonRunner = {
  program: 'jest',
  dropped:
    /^(--json|--outputFile|--coverage|--collectCoverage|--watch|--watchAll|--bail|-b|--reporters|--verbose|--runInBand|-i|--maxWorkers|-w)$/,
  valued: /^(--outputFile|--reporters|--maxWorkers|-w)$/,
  report: path => ['--json', `--outputFile=${path}`, '--coverage=false', '--runInBand'],
  bail: ['--bail'],
  only: tests => ['--runTestsByPath', ...tests],
  hooks: ['lines-jest.cjs'],
  configuration: ['--showConfig'],
  hooked: ({ words, folder, own }) => [
    ...words,
    // the option takes the place of what the project sets
    ...[...setupFiles(own), `<rootDir>/${folder}/lines-jest.cjs`].map(
      f => `--setupFilesAfterEnv=${f}`,
    ),
  ],
};

const mocha: JsonRunner = {
  program: 'mocha',
  dropped: /^(--reporter|-R|--reporter-options?|-O|--watch|-w|--bail|-b|--parallel|-p)$/,
  valued: /^(--reporter|-R|--reporter-options?|-O)$/,
  report: path => ['--reporter=json', '--reporter-option', `output=${path}`],
  bail: ['--bail'],
  // a file that is named is run beside those of the project's configuration
  only: (tests, all) => {
    const others = all.filter(t => !tests.includes(t));
    // paths are compared as they were found, with or without a dot in front
    return others.length > 200 ? [] : others.flatMap(t => [`--ignore=${t}`, `--ignore=./${t}`]);
  },
  hooks: ['lines-mocha.cjs'],
  hooked: ({ words, folder }) => [...words, `--require=./${folder}/lines-mocha.cjs`],
};

export const runners: readonly JsonRunner[] = [vitest, jest, mocha];

/** `setupFilesAfterEnv` of the first project of a configuration that jest printed. */
function setupFiles(text: string): readonly string[] {
  try {
    const data = JSON.parse(text.slice(Math.max(0, text.indexOf('{')))) as {
      configs?: readonly { setupFilesAfterEnv?: readonly unknown[] }[];
    };
    return (data.configs?.[0]?.setupFilesAfterEnv ?? []).filter(f => typeof f === 'string');
  } catch {
    return [];
  }
}
