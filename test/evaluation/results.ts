/** Results of played tasks. */
import type { Evaluation, TaskResult } from '../../src/evaluation/result.ts';
import type { TestRun } from '../../src/verify/judge/test-run.ts';

export type Status = 'passed' | 'failed' | 'skipped';

/** A run of the tests with these cases; undefined for a runner that lists none. */
export function testRun(
  cases: Readonly<Record<string, Status>> | undefined,
  exitCode?: number,
): TestRun {
  const listed = cases && Object.entries(cases).map(([id, status]) => ({ id, status }));
  const code = exitCode ?? (listed?.some(c => c.status === 'failed') ? 1 : 0);
  return {
    run: {
      command: 'npm test',
      exitCode: code,
      limit: null,
      durationMs: 1,
      refusedConnections: null,
      outputTail: '',
      passed: code === 0,
    },
    cases: listed,
    reported: true,
    reportTooLarge: false,
    summaries: [],
    ran: { kind: 'cases' },
    emptyFiles: [],
    failures: undefined,
    stages: [],
  };
}

export const result = (id: string, more: Partial<TaskResult> = {}): TaskResult => ({
  id,
  title: 'Round prices',
  verdict: 'solved',
  code: 'PATCH_WRITTEN',
  note: '',
  cost: 0.5,
  durationMs: 1000,
  rounds: 4,
  refusals: {},
  confined: true,
  patch: '',
  ...more,
});

export const evaluation = (
  results: readonly TaskResult[],
  more: Partial<Evaluation> = {},
): Evaluation => ({
  schema: 1,
  configuration: { model: 'double' },
  key: 'k',
  seed: '1',
  looked: 8,
  found: results.length,
  dropped: {},
  open: [],
  results: [...results],
  ...more,
});
