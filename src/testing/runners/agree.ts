/** When a warm runner may stand for the real one, and how long a candidate may take. Pure. */
import { type CaseResult, type JobResult, outOfTime } from './test-runner.ts';

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

/** Milliseconds: processor time of a case, of what loads the tests and of a job, clock time of a job. */
export interface CaseLimits {
  readonly caseMs: number;
  readonly loadMs: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** For the tests as they stand, which may hold a loop without end. */
export const firstLimits: CaseLimits = {
  caseMs: 2_000,
  loadMs: 10_000,
  cpuMs: 300_000,
  wallMs: 600_000,
};

/** True when a case of the job ran until its limit. */
export const wasLate = ({ ended, cases }: Pick<JobResult, 'ended' | 'cases'>) =>
  ended === 'time' || cases.some(c => c.status === 'failed' && c.message?.includes(outOfTime));

const leastMs = 50;
/** Where a test never ends, nothing tells what it needs once it is repaired. */
const leastLateMs = 100;
/** A worker or a fork has to start and to load, too. */
const startMs = 400;

/**
 * Limits of a candidate: ten times what the tests need as they stand. Processor time decides, so
 * that a busy machine does not; the clock only ends what waits without end.
 */
export function limitsFrom(
  seen: Pick<JobResult, 'ended' | 'cases' | 'cpuMs' | 'slowestMs'>,
): CaseLimits {
  const late = wasLate(seen);
  const caseMs = Math.ceil(Math.max(late ? leastLateMs : leastMs, 10 * (seen.slowestMs ?? 0)));
  // of a job that a loop held up, only the number of its cases tells how long the others took
  const wholeMs = late ? seen.cases.length * (seen.slowestMs ?? 0) : seen.cpuMs;
  const loadMs = startMs + 10 * (late ? 0 : seen.cpuMs);
  const cpuMs = Math.ceil(loadMs + caseMs + 10 * wholeMs);
  return { caseMs, loadMs: Math.ceil(loadMs), cpuMs, wallMs: 10_000 + 10 * cpuMs };
}
