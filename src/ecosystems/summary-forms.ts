/** How test runners end: the line that each prints, and the counts in it. The code under test can forge it. Pure. */

/** The summary of one runner. */
export interface RunSummary {
  readonly runner: string;
  /** Passed and failed cases, without skipped cases and without failures of files and hooks. */
  readonly ran: number;
  readonly failed: number;
}

type Counts = Pick<RunSummary, 'ran' | 'failed'>;

/** One form of a summary; a runner may have several. */
export interface SummaryForm {
  readonly runner: string;
  /** The line that a summary holds once, and that only a summary holds. */
  readonly line: RegExp;
  /** Reads the counts in that line and the five after it. */
  readonly count: (text: string) => Counts;
  /** A line before the summary for each failure or skip that is no case, but that the runner counts as one. */
  readonly outsideCases?: RegExp;
}

/** Runners that print a line for each package, suite or task, and no number of cases: a line counts as one case. */
export const countedByPart: ReadonlySet<string> = new Set(['go', 'gradle', 'stack']);

const numberBefore = (text: string, word: string) =>
  Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
const numberAfter = (text: string, word: string) =>
  Number(new RegExp(`${word}\\D{0,3}(\\d+)`).exec(text)?.[1] ?? 0);

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Counts in a line such as `1 failed, 2 passed, 1 error in 0.1s`; an error is not a case. */
function countsIn(text: string): Counts {
  const failed = numberBefore(text, 'failed');
  const ran = failed + numberBefore(text, 'passed');
  return { ran, failed: failed + numberBefore(text, 'errors?') };
}

const countsInLine = (text: string) => countsIn(firstLine(text));
const one = (failed: boolean): Counts => ({ ran: 1, failed: failed ? 1 : 0 });
const none = (): Counts => ({ ran: 0, failed: 0 });

/** What a runner prints when it runs nothing. */
const nothing = (runner: string, line: RegExp): SummaryForm => ({ runner, line, count: none });

const javascript: readonly SummaryForm[] = [
  {
    runner: 'node:test',
    line: /^(?:ℹ|#) tests \d+$/,
    outsideCases: /^(?:✖ |not ok \d+ - )\S+\.[cm]?[jt]s(?: \([\d.]+ms\))?$/,
    count: text => {
      const failed = numberAfter(text, ' fail') + numberAfter(text, ' cancelled');
      return { ran: numberAfter(text, ' pass') + failed, failed };
    },
  },
  { runner: 'vitest', line: /^ +Tests {2}\S.*\(\d+\)$/, count: countsInLine },
  nothing('vitest', /^No test files found, exiting with code \d$/),
  { runner: 'jest', line: /^Tests: +.*\d+ total$/, count: countsInLine },
  nothing('jest', /^No tests found, exiting with code \d$/),
  {
    runner: 'mocha',
    line: /^ +\d+ passing \(/,
    outsideCases: /^ +\d+\) "(?:before|after) (?:each|all)" hook/,
    count: text => {
      const failed = numberBefore(text, 'failing');
      return { ran: numberBefore(text, 'passing') + failed, failed };
    },
  },
  {
    // the number of cases is unknown: ava counts passed cases only if none failed
    runner: 'ava',
    line: /^ {2}\d+ tests? (?:passed|failed)$/,
    count: text => ({ ran: 1, failed: numberBefore(firstLine(text), 'tests? failed') }),
  },
  nothing('ava', /^ {2}(?:[✘✖] Couldn.t find any files to test|0 tests passed)$/u),
  {
    runner: 'uvu',
    line: /^ {2}Total: {5}\d+$/,
    count: text => {
      const ran = numberAfter(text, 'Total: {4}');
      return { ran, failed: ran - numberAfter(text, 'Passed: {3}') };
    },
  },
  {
    runner: 'bun',
    line: /^ *\d+ pass$/,
    count: text => {
      const failed = numberBefore(text, 'fail');
      return { ran: numberBefore(firstLine(text), 'pass') + failed, failed };
    },
  },
  nothing('bun', /^(?:error: 0 test files matching .*|No tests found!)$/),
  {
    runner: 'deno',
    line: /^(?:ok|FAILED) \| \d+ passed\b.* \| \d+ failed\b/,
    count: countsInLine,
  },
  nothing('deno', /^error: No test modules found$/),
  // a plan without a case, of any runner that prints TAP
  nothing('tap', /^1\.\.0(?: |$)/),
  nothing(
    'turbo',
    /^ *(?:Tasks: +0 successful, 0 total|No tasks were executed as part of this run\.)$/,
  ),
  nothing('nx', /^ *NX +No tasks were run$/),
];

const python: readonly SummaryForm[] = [
  {
    runner: 'pytest',
    line: /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s\b/,
    count: countsInLine,
  },
  nothing('pytest', /^(?:=+ )?no tests ran in [\d.]+s\b/),
  {
    runner: 'unittest',
    line: /^Ran \d+ tests? in [\d.]+s$/,
    count: text => {
      const failed = numberAfter(text, 'failures=') + numberAfter(text, 'errors=');
      const skipped = numberAfter(text, 'skipped=');
      return { ran: numberAfter(text, 'Ran ') - skipped, failed };
    },
  },
];

const compiled: readonly SummaryForm[] = [
  {
    runner: 'go',
    line: /^(?:ok {2}|FAIL)\t\S/,
    count: text =>
      firstLine(text).endsWith('[no tests to run]') ? none() : one(text.startsWith('FAIL')),
  },
  nothing('go', /^(?:\? {3})?\t\S+\t(?:\[no test files\]|\tcoverage: 0\.0% of statements)/),
  { runner: 'cargo', line: /^test result: /, count: countsInLine },
  {
    runner: 'nextest',
    line: /^ +Summary \[ *[\d.]+s\] +\d+(?:\/\d+)? tests? run: /,
    count: countsInLine,
  },
  {
    runner: 'swift',
    line: /^Test Suite '(?:All|Selected) tests' (?:passed|failed) at /,
    count: text => {
      const skipped = numberBefore(text, 'tests? skipped');
      return {
        ran: numberAfter(text, 'Executed') - skipped,
        failed: numberBefore(text, 'failures?'),
      };
    },
  },
  {
    runner: 'swift-testing',
    line: /^\S+ +Test run with \d+ tests?(?: in \d+ suites?)? (?:passed|failed) after /,
    count: text => {
      const failed = / failed after /.test(firstLine(text)) ? 1 : 0;
      return { ran: numberAfter(text, 'Test run with'), failed };
    },
  },
  nothing('swift', /^(?:warning: |error: )?No matching test cases were run$/),
  {
    runner: 'zig',
    line: /^Build Summary: .*\b\d+\/\d+ tests passed/,
    count: text => {
      const [, passed, total] = /(?<!\d)(\d+)\/(\d+) tests passed/.exec(text) ?? [];
      const ran = Number(total) - numberBefore(firstLine(text), 'skipped');
      return { ran, failed: Math.max(0, ran - Number(passed)) };
    },
  },
  {
    runner: 'ctest',
    line: /^\d+% tests passed, \d+ tests? failed out of \d+/,
    outsideCases: /^ *\d+\/\d+ Test +#\d+: .*\*\*\*Skipped /,
    count: text => ({
      ran: numberAfter(text, 'failed out of'),
      failed: numberAfter(text, 'tests passed, '),
    }),
  },
  nothing('ctest', /^No tests were found!!!$/),
  {
    runner: 'googletest',
    line: /^\[={10}\] \d+ tests? from \d+ test (?:suites?|cases?) ran\./,
    outsideCases: /^\[ {2}SKIPPED \] \S+ \(\d+ ms\)$/,
    count: text => ({
      ran: numberAfter(text, '\\] '),
      failed: numberAfter(text, '\\[ {2}FAILED {2}\\] '),
    }),
  },
  {
    runner: 'meson',
    line: /^Ok: +\d+ *$/,
    count: text => {
      const failed = Number(/^Fail: +(\d+)/m.exec(text)?.[1] ?? 0);
      return { ran: Number(/^Ok: +(\d+)/.exec(text)?.[1] ?? 0) + failed, failed };
    },
  },
  nothing('meson', /^No tests defined\.$/),
  {
    runner: 'automake',
    line: /^# TOTAL: +\d+$/,
    count: text => {
      const of = (word: string) => Number(new RegExp(`^# ${word}: +(\\d+)$`, 'm').exec(text)?.[1]);
      return { ran: of('TOTAL') - of('SKIP'), failed: of('FAIL') };
    },
  },
  nothing(
    'make',
    /^make: (?:Nothing to be done for '(?:test|check)'|'(?:test|check)' is up to date)\.$/,
  ),
];

const virtualMachines: readonly SummaryForm[] = [
  {
    runner: 'maven',
    line: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?$/,
    count: text => {
      const failed = numberAfter(text, 'Failures:') + numberAfter(text, 'Errors:');
      const skipped = numberAfter(firstLine(text), 'Skipped:');
      return { ran: numberAfter(text, 'Tests run:') - skipped, failed };
    },
  },
  nothing('maven', /^\[INFO\] (?:No tests to run|Tests are skipped)\.$/),
  {
    runner: 'gradle',
    line: /^> Task (?:\S*:)?(?:test|test\w*UnitTest|(?:jvm|js|native|integration|functional)Test)(?: FAILED| UP-TO-DATE| FROM-CACHE)?$/,
    count: text => one(firstLine(text).endsWith(' FAILED')),
  },
  nothing('gradle', /^> Task (?:\S*:)?\w*[tT]est\w* (?:NO-SOURCE|SKIPPED)$/),
  {
    runner: 'sbt',
    line: /^\[\w+\] (?:Passed|Failed|Error): Total \d+, Failed \d+, Errors \d+/,
    count: text => {
      const line = firstLine(text);
      const failed = numberAfter(line, ', Failed') + numberAfter(line, ', Errors');
      return { ran: numberAfter(line, ', Passed') + failed, failed };
    },
  },
  nothing('sbt', /^\[info\] No tests (?:were executed\.|to run for .*)$/),
  {
    runner: 'clojure.test',
    line: /^Ran \d+ tests containing \d+ assertions?\.$/,
    count: text => ({
      ran: numberAfter(text, 'Ran'),
      failed: numberBefore(text, 'failures') + numberBefore(text, 'errors'),
    }),
  },
  {
    runner: 'dotnet',
    line: /^(?:Passed|Failed|Skipped)! +- Failed: +\d+, Passed: +\d+/,
    count: text => {
      const failed = numberAfter(text, '- Failed: *');
      return { ran: numberAfter(text, ', Passed: *') + failed, failed };
    },
  },
  {
    runner: 'dotnet',
    line: /^ *Test (?:run summary: |summary: total: )/,
    count: text => {
      const failed = numberAfter(text, '\\bfailed:');
      const errors = numberAfter(text, '\\berror:');
      return { ran: numberAfter(text, '\\bsucceeded:') + failed, failed: failed + errors };
    },
  },
  nothing('dotnet', /^No test (?:is available in|matches the given testcase filter) /),
  {
    runner: 'dart',
    line: /^\d+:\d+ \+\d+(?: ~\d+)?(?: -\d+)?: (?:All tests passed!|All tests skipped\.|Some tests failed\.|No tests ran\.)$/,
    count: text => {
      const failed = Number(/^\S+ .* -(\d+): /.exec(firstLine(text))?.[1] ?? 0);
      return { ran: numberAfter(text, ' \\+') + failed, failed };
    },
  },
  nothing('dart', /^No tests (?:ran|were found)\.$/),
];

const others: readonly SummaryForm[] = [
  {
    runner: 'rspec',
    line: /^\d+ examples?, \d+ failures?/,
    count: text => ({
      ran: numberBefore(text, 'examples?') - numberBefore(firstLine(text), 'pending'),
      failed: numberBefore(text, 'failures?'),
    }),
  },
  {
    runner: 'minitest',
    line: /^\d+ (?:runs|tests), \d+ assertions, /,
    count: text => ({
      ran: numberBefore(text, '(?:runs|tests)') - numberBefore(firstLine(text), 'skips'),
      failed: numberBefore(text, 'failures') + numberBefore(text, 'errors'),
    }),
  },
  {
    runner: 'mix',
    line: /^(?:\d+ (?:doctests?|property|properties), )*\d+ tests?, \d+ failures?(?:, |$)/,
    count: text => {
      const line = firstLine(text);
      const left = ['excluded', 'skipped', 'invalid'].map(word => numberBefore(line, word));
      const all = ['doctests?', 'propert(?:y|ies)', 'tests?'].map(word => numberBefore(line, word));
      const ran = [...all, ...left.map(n => -n)].reduce((sum, n) => sum + n, 0);
      return { ran, failed: numberBefore(line, 'failures?') };
    },
  },
  { runner: 'mix', line: /^Result: \d+ (?:passed|failed)\b/, count: countsInLine },
  nothing('mix', /^There are no tests to run$/),
  {
    runner: 'phpunit',
    line: /^OK \(\d+ tests?, \d+ assertions?\)$/,
    count: text => ({ ran: numberAfter(text, 'OK'), failed: 0 }),
  },
  {
    runner: 'phpunit',
    line: /^Tests: \d+, Assertions: \d+/,
    count: text => {
      const line = firstLine(text);
      const left = numberAfter(line, 'Skipped:') + numberAfter(line, 'Incomplete:');
      const failed = numberAfter(line, 'Failures:') + numberAfter(line, 'Errors:');
      return { ran: numberAfter(line, 'Tests:') - left, failed };
    },
  },
  nothing('phpunit', /^No tests executed!$/),
  { runner: 'pest', line: /^ +Tests: +\S.* \(\d+ assertions?\)$/, count: countsInLine },
  nothing('pest', /^ +INFO {2}No tests found\.$/),
  {
    runner: 'cabal',
    line: /^\d+ of \d+ test suites \(\d+ of \d+ test cases\) passed\.$/,
    count: text => {
      const [, passed, ran] = /\((\d+) of (\d+) test/.exec(text) ?? [];
      return { ran: Number(ran), failed: Number(ran) - Number(passed) };
    },
  },
  {
    runner: 'stack',
    line: /^\S+> Test suite \S+ (?:passed|failed)$/,
    count: text => one(firstLine(text).endsWith(' failed')),
  },
];

/**
 * Summaries of runners without options, and what they print when they run nothing. test/fixtures/reports has recorded ones; the
 * others follow the sources and the documentation of the runners.
 */
export const summaryForms: readonly SummaryForm[] = [
  ...javascript,
  ...python,
  ...compiled,
  ...virtualMachines,
  ...others,
];
