/** Decides whether a warm runner agrees with the real one, and how long a candidate may take. Pure. */
import { type CaseResult, type JobResult, outOfTime } from './test-runner.ts';

/** Number of candidates to try warm after the first that passes. */
export const warmFurther = 400;

/** True if both saw the same cases with the same results, and at least one. */
export function agree(one: readonly CaseResult[], other: readonly CaseResult[]): boolean {
  const ends = (cases: readonly CaseResult[]) =>
    cases
      .map(c => `${c.status} ${c.id}`)
      .sort()
      .join('\n');
  return one.length > 0 && ends(one) === ends(other);
}

/** In milliseconds: processor time of a case, of loading the tests, and of a job; wall-clock time of a job. */
export interface CaseLimits {
  readonly caseMs: number;
  readonly loadMs: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Limits for the tests without a change, which may loop endlessly. */
export const firstLimits: CaseLimits = {
  caseMs: 2_000,
  loadMs: 10_000,
  cpuMs: 300_000,
  wallMs: 600_000,
};

/** True if a case of the job ran until its limit. */
export const wasLate = ({ ended, cases }: Pick<JobResult, 'ended' | 'cases'>) =>
  ended === 'time' || cases.some(c => c.status === 'failed' && c.message?.includes(outOfTime));

const minMs = 50;
/** For a test that never ends: nothing shows how long it takes once it is repaired. */
const minLateMs = 100;
/** A worker or a fork needs this long to start and to load. */
const startMs = 400;

/**
 * Limits of a candidate: ten times what the tests need without a change. Processor time decides, so
 * that a busy machine does not matter; wall-clock time only ends a test that waits endlessly.
 */
export function limitsFrom(
  seen: Pick<JobResult, 'ended' | 'cases' | 'cpuMs' | 'slowestMs'>,
): CaseLimits {
  const late = wasLate(seen);
  const caseMs = Math.ceil(Math.max(late ? minLateMs : minMs, 10 * (seen.slowestMs ?? 0)));
  // in a job that a loop held up, only the number of cases shows how long the others took
  const wholeMs = late ? seen.cases.length * (seen.slowestMs ?? 0) : seen.cpuMs;
  const loadMs = startMs + 10 * (late ? 0 : seen.cpuMs);
  const cpuMs = Math.ceil(loadMs + caseMs + 10 * wholeMs);
  return { caseMs, loadMs: Math.ceil(loadMs), cpuMs, wallMs: 10_000 + 10 * cpuMs };
}
