/** When a warm runner may stand for the real one, and how long a candidate may take. Pure. */
import type { CaseResult } from './test-runner.ts';

/** How many more candidates are tried warm once one has passed. */
export const warmFurther = 400;

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
  const caseMs = Math.ceil(Math.max(120, 10 * cpuMs));
  // a worker or a fork has to start and to load, too
  const most = caseMs + 400;
  return { caseMs, cpuMs: most, wallMs: 10_000 + 10 * most };
}
