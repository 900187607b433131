/** Reads the summaries that test runners print at their end. The code under test can forge them. Pure. */

/** The summary of one runner. */
export interface RunSummary {
  readonly runner: string;
  /** Passed and failed cases, without skipped cases and without failures of files and hooks. */
  readonly ran: number;
  readonly failed: number;
}

interface SummaryForm {
  readonly runner: string;
  /** The line that a summary holds once, and that only a summary holds. */
  readonly line: RegExp;
  /** Reads the counts in that line and the five after it. */
  readonly count: (text: string) => Pick<RunSummary, 'ran' | 'failed'>;
  /** A line before the summary for each failure outside the cases that the runner counts. */
  readonly outsideCases?: RegExp;
}

const numberBefore = (text: string, word: string) =>
  Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
const numberAfter = (text: string, word: string) =>
  Number(new RegExp(`${word}\\D{0,3}(\\d+)`).exec(text)?.[1] ?? 0);

/** Counts in a line such as `1 failed, 2 passed, 1 error in 0.1s`; an error is not a case. */
function countsIn(text: string): Pick<RunSummary, 'ran' | 'failed'> {
  const failed = numberBefore(text, 'failed');
  const ran = failed + numberBefore(text, 'passed');
  return { ran, failed: failed + numberBefore(text, 'errors?') };
}

/** go prints a line for each package, and no number of cases. */
const packages = 'go';

/** Summaries of runners without options: checked with Node 24, vitest 5, jest 30, mocha 12, pytest 9. */
const forms: readonly SummaryForm[] = [
  {
    runner: 'node:test',
    line: /^(?:ℹ|#) tests \d+$/,
    outsideCases: /^(?:✖ |not ok \d+ - )\S+\.[cm]?[jt]s(?: \([\d.]+ms\))?$/,
    count: text => {
      const failed = numberAfter(text, ' fail') + numberAfter(text, ' cancelled');
      return { ran: numberAfter(text, ' pass') + failed, failed };
    },
  },
  { runner: 'vitest', line: /^ +Tests {2}\S.*\(\d+\)$/, count: text => countsIn(firstLine(text)) },
  { runner: 'jest', line: /^Tests: +.*\d+ total$/, count: text => countsIn(firstLine(text)) },
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
    runner: 'pytest',
    line: /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s\b/,
    count: text => countsIn(firstLine(text)),
  },
  {
    runner: 'unittest',
    line: /^Ran \d+ tests? in [\d.]+s$/,
    count: text => {
      const failed = numberAfter(text, 'failures=') + numberAfter(text, 'errors=');
      const skipped = numberAfter(text, 'skipped=');
      return { ran: numberAfter(text, 'Ran ') - skipped, failed };
    },
  },
  {
    // the number of cases is unknown: ava counts passed cases only if none failed
    runner: 'ava',
    line: /^ {2}\d+ tests? (?:passed|failed)$/,
    count: text => ({ ran: 0, failed: numberBefore(firstLine(text), 'tests? failed') }),
  },
  {
    runner: 'uvu',
    line: /^ {2}Total: {5}\d+$/,
    count: text => {
      const ran = numberAfter(text, 'Total: {4}');
      return { ran, failed: ran - numberAfter(text, 'Passed: {3}') };
    },
  },
  {
    runner: packages,
    line: /^(?:ok {2}|FAIL)\t\S/,
    count: text => ({ ran: 1, failed: text.startsWith('FAIL') ? 1 : 0 }),
  },
  { runner: 'cargo', line: /^test result: /, count: text => countsIn(firstLine(text)) },
  {
    runner: 'maven',
    line: /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?$/,
    count: text => {
      const failed = numberAfter(text, 'Failures:') + numberAfter(text, 'Errors:');
      const skipped = numberAfter(firstLine(text), 'Skipped:');
      return { ran: numberAfter(text, 'Tests run:') - skipped, failed };
    },
  },
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
];

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The summaries in an output, in order; one for each runner that finished. */
export function readSummaries(output: string): readonly RunSummary[] {
  const lines = plainText(output).split('\n');
  let above = 0;
  const found = lines.flatMap((line, i) => {
    const form = line.length > 500 ? undefined : forms.find(f => f.line.test(line));
    if (form === undefined) return [];
    const { runner, outsideCases } = form;
    const { ran, failed } = form.count(lines.slice(i, i + 6).join('\n'));
    const others = lines.slice(above, i).filter(l => outsideCases?.test(l)).length;
    above = i;
    return [{ runner, ran: Math.max(0, ran - others), failed }];
  });
  const ended = found.filter(s => s.runner === packages);
  if (ended.length < 2) return found;
  // the packages of go count as one runner
  const failed = ended.filter(s => s.failed > 0).length;
  const others = found.filter(s => s.runner !== packages);
  return [...others, { runner: packages, ran: ended.length, failed }];
}

/**
 * Test files that node:test reports as one passed case: no test of such a file finished. This is how a file
 * that ends its process appears.
 */
export function filesWithoutCases(output: string): readonly string[] {
  return [
    ...plainText(output).matchAll(/^(?:✔ |ok \d+ - )(\S+\.[cm]?[jt]s)(?: \([\d.]+ms\))?$/gm),
  ].map(([, path = '']) => path);
}

/** Text without the colour codes of a terminal. */
export function plainText(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\r', '');
}
