/** What a test runner prints when it has come to its own end. Pure; the program under test can print the same. */

/** The last words of one runner: which one it is, and how many cases it ran. */
export interface RunSummary {
  readonly runner: string;
  /** Cases that ran: passed and failed, without what was skipped, and without failures of files and hooks. */
  readonly ran: number;
  readonly failed: number;
}

interface SummaryForm {
  readonly runner: string;
  /** The line that stands in a summary once, and that nothing but an end prints. */
  readonly line: RegExp;
  /** Counts in that line and the three after it. */
  readonly count: (text: string) => Pick<RunSummary, 'ran' | 'failed'>;
  /** A line above it for each failure that the runner counts and that is no case. */
  readonly noCase?: RegExp;
}

const numberBefore = (text: string, word: string) =>
  Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
const numberAfter = (text: string, word: string) =>
  Number(new RegExp(`${word}\\D{0,3}(\\d+)`).exec(text)?.[1] ?? 0);

/** Passed and failed in a line such as `1 failed, 2 passed, 1 error in 0.1s`; an error is no case of its own. */
function ofWords(text: string): Pick<RunSummary, 'ran' | 'failed'> {
  const failed = numberBefore(text, 'failed');
  const ran = failed + numberBefore(text, 'passed');
  return { ran, failed: failed + numberBefore(text, 'errors?') };
}

/** Of the runners as they print without options: tried with Node 24, vitest 5, jest 30, mocha 12, pytest 9. */
const forms: readonly SummaryForm[] = [
  {
    runner: 'node:test',
    line: /^(?:ℹ|#) tests \d+$/,
    noCase: /^(?:✖ |not ok \d+ - )\S+\.[cm]?[jt]s(?: \([\d.]+ms\))?$/,
    count: text => {
      const failed = numberAfter(text, ' fail') + numberAfter(text, ' cancelled');
      return { ran: numberAfter(text, ' pass') + failed, failed };
    },
  },
  { runner: 'vitest', line: /^ +Tests {2}\S.*\(\d+\)$/, count: text => ofWords(firstLine(text)) },
  { runner: 'jest', line: /^Tests: +.*\d+ total$/, count: text => ofWords(firstLine(text)) },
  {
    runner: 'mocha',
    line: /^ +\d+ passing \(/,
    noCase: /^ +\d+\) "(?:before|after) (?:each|all)" hook/,
    count: text => {
      const failed = numberBefore(text, 'failing');
      return { ran: numberBefore(text, 'passing') + failed, failed };
    },
  },
  {
    runner: 'pytest',
    line: /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s\b/,
    count: text => ofWords(firstLine(text)),
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
  { runner: 'cargo', line: /^test result: /, count: text => ofWords(firstLine(text)) },
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

/** The summaries in an output, in their order; one for each runner that came to its end. */
export function readSummaries(output: string): readonly RunSummary[] {
  const lines = plainText(output).split('\n');
  let above = 0;
  return lines.flatMap((line, i) => {
    const form = line.length > 500 ? undefined : forms.find(f => f.line.test(line));
    if (form === undefined) return [];
    const { runner, noCase } = form;
    const { ran, failed } = form.count(lines.slice(i, i + 6).join('\n'));
    const others = lines.slice(above, i).filter(l => noCase?.test(l)).length;
    above = i;
    return [{ runner, ran: Math.max(0, ran - others), failed }];
  });
}

/**
 * Test files that node:test shows as one passed case: such a file defined no test that came to its end. A file
 * that ends its process is shown like this.
 */
export function filesWithoutCases(output: string): readonly string[] {
  return [
    ...plainText(output).matchAll(/^(?:✔ |ok \d+ - )(\S+\.[cm]?[jt]s)(?: \([\d.]+ms\))?$/gm),
  ].map(([, path = '']) => path);
}

/** Without the colours of a terminal. */
function plainText(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\r', '');
}
