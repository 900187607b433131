/** How what a test runner prints is read: its summaries and the cases that it names. The code under test can forge it. Pure. */
import { sum } from '../../base/plural.ts';
import type { TestCase } from './test-case.ts';

/** The summary of one runner. */
export interface RunSummary {
  readonly runner: string;
  /** Passed and failed cases, without skipped cases and without failures of files and hooks. */
  readonly ran: number;
  readonly failed: number;
}

export type Counts = Pick<RunSummary, 'ran' | 'failed'>;

export type Cases = readonly TestCase[];

/** An output of a runner. */
export interface TestRunnerOutput {
  readonly lines: readonly string[];
  /** The summaries of the runner in these lines, at least one. */
  readonly summaries: readonly RunSummary[];
}

/** How a test runner without options reports. One with several forms of a summary has a row for each. */
export interface RunnerOutput {
  readonly runner: string;
  /** The line that a summary holds once, and that only a summary holds; absent if the runner counts nothing. */
  readonly line?: RegExp;
  /** Reads the counts in that line and the five after it; without it, `countsInLine` does. */
  readonly count?: (text: string) => Counts;
  /** A line before the summary for each failure or skip that is no case, but that the runner counts as one. */
  readonly outsideCases?: RegExp;
  /** What it prints when it runs nothing. */
  readonly nothing?: readonly RegExp[];
  /** The line with which the text of a failed case begins; a group is the name, or else the next line. Of all rows of a runner, one has it. */
  readonly failure?: RegExp;
  /** True if it prints a line for each package, suite or task, and no number of cases: a line counts as one case. */
  readonly countsParts?: boolean;
  /** Every case; undefined if their number does not fit. */
  readonly all?: (printed: TestRunnerOutput) => Cases | undefined;
  /** The failed ones alone, for a runner that does not print the others. */
  readonly failed?: (printed: TestRunnerOutput) => Cases | undefined;
  /** A test file that is reported as one passed case, because no test of it finished; the group is its path. */
  readonly fileWithoutCases?: RegExp;
}

/** The number in front of a word (an expression), or 0. */
export const numberBefore = (text: string, word: string) =>
  Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
/** The number behind a word (an expression), or 0. */
export const numberAfter = (text: string, word: string) =>
  Number(new RegExp(`${word}\\D{0,3}(\\d+)`).exec(text)?.[1] ?? 0);

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Counts in a first line such as `1 failed, 2 passed, 1 error in 0.1s`; an error is not a case. */
export function countsInLine(text: string): Counts {
  const line = firstLine(text);
  const failed = numberBefore(line, 'failed');
  const ran = failed + numberBefore(line, 'passed');
  return { ran, failed: failed + numberBefore(line, 'errors?') };
}

/** The counts of a line that stands for one case. */
export const countOne = (failed: boolean): Counts => ({ ran: 1, failed: failed ? 1 : 0 });

/** The sum of the numbers that a pattern captures, over all lines. */
export function total(lines: readonly string[], pattern: RegExp): number {
  return sum(lines.map(line => Number(pattern.exec(line)?.[1] ?? 0)));
}

export const failedCase = (id: string): TestCase => ({ id, status: 'failed' });

/** The cases if there are as many failed ones (`counted`) as the summaries count. */
export function ifComplete(
  cases: Cases,
  { summaries }: TestRunnerOutput,
  counted = cases,
): Cases | undefined {
  return counted.length === sum(summaries.map(s => s.failed)) ? cases : undefined;
}
