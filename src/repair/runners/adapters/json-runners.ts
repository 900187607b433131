/** The options of vitest, jest and mocha: for the JSON report, for an early end, and for hooks. Data. */
import { warmFurther } from '../agree.ts';
import { coldFurther } from '../cold.ts';

/** The parts of a command with hooks. */
interface HookedCommand {
  readonly words: readonly string[];
  /** The folder of the copy that holds the hooks. */
  readonly folder: string;
  /** The output of `configuration`. */
  readonly configuration: string;
}

/** A way to keep a runner open for many candidates. The programs are in `assets/runners/`. */
export interface WarmWay {
  /** The parts of the program that runs jobs. */
  readonly driver: readonly string[];
  /** The parts of the programs that the runner loads from the copy, by name. */
  readonly loaded: Readonly<Record<string, readonly string[]>>;
  /** Number of candidates to try after the first that passes, unless the suite is slow. */
  readonly further: number;
  /** Further fields of its first message. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A configuration that it is for, as the runner prints it; without it, any. */
  readonly fits?: RegExp;
  /** True if it leaves out a check of types that the way behind it makes: what passes also has to pass there. */
  readonly withoutTypes?: boolean;
}

export interface JsonRunner {
  readonly program: string;
  /** Names of options that are removed from the project's command. */
  readonly dropped: readonly string[];
  /** Those of them that take the next word as their value. */
  readonly valued: readonly string[];
  /** Arguments that make the runner write the report. */
  readonly report: (path: string) => readonly string[];
  /** Arguments that end the run at the first failure. */
  readonly bail: readonly string[];
  /** Arguments that run these test files only, out of all. */
  readonly only: (tests: readonly string[], all: readonly string[]) => readonly string[];
  /** Programs in `assets/runners/lines/` that record the lines of each case. */
  readonly hooks: readonly string[];
  /** The words of the whole command with the hooks. */
  readonly hooked: (command: HookedCommand) => readonly string[];
  /** Ways to keep the runner open for many candidates, the fastest first. */
  readonly warm?: readonly WarmWay[];
  /** Arguments that make the runner print its configuration. */
  readonly showConfiguration?: readonly string[];
}

const words = (list: string) => list.split(' ');

/** The program that records lines, as one file. */
export const linesParts = ['lines/case-ids.cjs', 'lines/script-lines.cjs', 'lines/lines.cjs'];
const warmParts = [
  'placed-files.cjs',
  'lines/case-ids.cjs',
  'compared-values.cjs',
  'warm-json/warm-driver.cjs',
];
const vitestDriver = [...warmParts, 'warm-json/vitest-driver.cjs'];
const vitestRunner = {
  'vitest-runner.mjs': [
    'lines/case-ids.cjs',
    'interrupt.cjs',
    'built-ins.cjs',
    'warm-json/vitest-runner.mjs',
  ],
  'lines.cjs': linesParts,
};

const vitest: JsonRunner = {
  program: 'vitest',
  warm: [
    // one thread runs all test files, or each gets a worker of its own
    { driver: vitestDriver, loaded: vitestRunner, further: warmFurther, options: { shared: true } },
    { driver: vitestDriver, loaded: {}, further: coldFurther, options: { shared: false } },
  ],
  dropped: words(
    '--reporter --outputFile --outputFile.* --coverage --coverage.* --watch -w --ui --open --bail --api --run --maxWorkers --minWorkers',
  ),
  valued: ['--reporter', '--outputFile', '--bail', '--maxWorkers', '--minWorkers'],
  report: path => [
    '--run',
    '--reporter=json',
    `--outputFile=${path}`,
    '--coverage.enabled=false',
    // the copies already run in parallel
    '--maxWorkers=1',
  ],
  bail: ['--bail=1'],
  only: tests => tests,
  hooks: ['lines-vitest.mjs', 'vitest-lines.mjs'],
  // only the programming interface of vitest can add to the set-up files of a project
  hooked: ({ words, folder }) => ['node', `${folder}/vitest-lines.mjs`, ...words.slice(1)],
};

const warmJest: WarmWay = {
  driver: [...warmParts, 'interrupt.cjs', 'warm-json/jest-driver.cjs'],
  loaded: { 'jest-runner.cjs': ['warm-json/jest-runner.cjs'], 'lines.cjs': linesParts },
  // about half as fast as vitest in one thread
  further: warmFurther / 2,
  options: {},
};

const jest: JsonRunner = {
  program: 'jest',
  warm: [
    {
      ...warmJest,
      // its language service looks at the whole project for each candidate
      fits: /[\\/]node_modules[\\/]ts-jest[\\/]/,
      withoutTypes: true,
      options: { transpileOnly: true },
    },
    warmJest,
  ],
  dropped: words(
    '--json --outputFile --coverage --collectCoverage --watch --watchAll --bail -b --reporters --verbose --runInBand -i --maxWorkers -w',
  ),
  valued: ['--outputFile', '--reporters', '--maxWorkers', '-w'],
  report: path => ['--json', `--outputFile=${path}`, '--coverage=false', '--runInBand'],
  bail: ['--bail'],
  only: tests => ['--runTestsByPath', ...tests],
  hooks: ['lines-jest.cjs'],
  showConfiguration: ['--showConfig'],
  hooked: ({ words, folder, configuration }) => [
    ...words,
    // the option replaces the files that the project sets
    ...[...setupFiles(configuration), `<rootDir>/${folder}/lines-jest.cjs`].map(
      f => `--setupFilesAfterEnv=${f}`,
    ),
  ],
};

/** Its command may also run in a thread; see mocha.ts. */
export const mocha: JsonRunner = {
  program: 'mocha',
  dropped: words(
    '--reporter -R --reporter-option --reporter-options -O --watch -w --bail -b --parallel -p',
  ),
  valued: ['--reporter', '-R', '--reporter-option', '--reporter-options', '-O'],
  report: path => ['--reporter=json', '--reporter-option', `output=${path}`],
  bail: ['--bail'],
  // mocha runs a named file together with those of the project's configuration
  only: (tests, all) => {
    const others = all.filter(t => !tests.includes(t));
    // mocha compares paths as it found them, with or without a leading dot
    return others.length > 200 ? [] : others.flatMap(t => [`--ignore=${t}`, `--ignore=./${t}`]);
  },
  hooks: ['lines-mocha.cjs'],
  hooked: ({ words, folder }) => [...words, `--require=./${folder}/lines-mocha.cjs`],
};

export const runners: readonly JsonRunner[] = [vitest, jest, mocha];

/** The words of a command without the options that change the report, or what runs. */
export function keptWords(runner: JsonRunner, words: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [name = ''] = word.split('=');
    if (!isDropped(runner, name)) kept.push(word);
    else if (runner.valued.includes(word)) i += 1;
  }
  return kept;
}

/** True for an option that the runner removes; a name that ends in `*` matches any that begins so. */
function isDropped({ dropped }: JsonRunner, option: string): boolean {
  return dropped.some(name =>
    name.endsWith('*') ? isLonger(option, name.slice(0, -1)) : option === name,
  );
}

const isLonger = (text: string, start: string) =>
  text.startsWith(start) && text.length > start.length;

/** The `setupFilesAfterEnv` of the first project in a configuration that jest printed. */
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
