/** When a warm runner may stand for the real one, and how long a candidate may take. Pure. */
import type { CaseResult } from './test-runner.ts';

/** True when both saw the same cases end in the same way, and there are any. */
export function agree(one: readonly CaseResult[], other: readonly CaseResult[]): boolean {
  const ends = (cases: readonly CaseResult[]) =>
    cases
      .map(c => `${c.status} ${c.id}`)
      .sort()
      .join('\n');
  return one.length > 0 && ends(one) === ends(other);
}

/** Milliseconds: processor time of a case and of a job, clock time of a job. */
export interface Limits {
  readonly caseMs: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * Limits of a candidate, from what the tests need as they stand. Processor time decides, so that a
 * busy machine does not; the clock only ends what waits without end.
 */
export function limitsFrom(cpuMs: number): Limits {
  const most = Math.ceil(Math.max(250, 10 * cpuMs));
  return { caseMs: most, cpuMs: most, wallMs: 10_000 + 10 * most };
}
