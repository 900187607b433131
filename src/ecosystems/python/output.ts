/** How Python's test runners report without options: checked with pytest 9. Pure. */
import {
  type Cases,
  countsInLine,
  failedCase,
  failuresIn,
  ifComplete,
  numberAfter,
  type RunnerOutput,
  type TestRunnerOutput,
} from '../shared/output.ts';

function failuresOfUnittest(printed: TestRunnerOutput): Cases | undefined {
  const failures = printed.lines.flatMap((line, i) => {
    const found = /^(?:FAIL|ERROR): (\S.*)$/.exec(line)?.[1];
    return found === undefined || !/^=+$/.test(printed.lines[i - 1] ?? '')
      ? []
      : [failedCase(found)];
  });
  return ifComplete(failures, printed);
}

export const runners: readonly RunnerOutput[] = [
  {
    runner: 'pytest',
    summaries: [
      {
        line: /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s\b/,
        count: countsInLine,
      },
    ],
    nothing: [/^(?:=+ )?no tests ran in [\d.]+s\b/],
    // the short summary, which lists failures and errors
    failed: printed => failuresIn(printed, /^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$/),
  },
  {
    runner: 'unittest',
    summaries: [
      {
        line: /^Ran \d+ tests? in [\d.]+s$/,
        count: text => {
          const failed = numberAfter(text, 'failures=') + numberAfter(text, 'errors=');
          const skipped = numberAfter(text, 'skipped=');
          return { ran: numberAfter(text, 'Ran ') - skipped, failed };
        },
      },
    ],
    failed: failuresOfUnittest,
  },
];
