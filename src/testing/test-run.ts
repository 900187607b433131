/** The result of one run of the test command: its end, and its reports. */
import type { VerificationRun } from '../outcome.ts';
import type { RunSummary } from './reports/run-summary.ts';
import type { TestCase } from './reports/test-case.ts';

export interface TestRun {
  readonly run: VerificationRun;
  /** Null if no report lists the cases. */
  readonly cases: readonly TestCase[] | null;
  /** True if the report exceeds the limits. */
  readonly reportTooLarge: boolean;
  readonly summaries: readonly RunSummary[];
  /** Test files that node:test reports as one passed case. */
  readonly emptyFiles: readonly string[];
}
