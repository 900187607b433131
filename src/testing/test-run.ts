/** One run of the test command: how it ended and what its reports tell. */
import type { VerificationRun } from '../outcome.ts';
import type { RunSummary } from './run-summary.ts';
import type { TestCase } from './test-case.ts';

/** One run of the test command, with what it told. */
export interface TestRun {
  readonly run: VerificationRun;
  /** Null when nothing tells single cases. */
  readonly cases: readonly TestCase[] | null;
  /** True when there are cases, and more than are read. */
  readonly reportTooLarge: boolean;
  readonly summaries: readonly RunSummary[];
  /** Test files that node:test shows as one passed case. */
  readonly emptyFiles: readonly string[];
}
