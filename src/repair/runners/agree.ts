/** Runs of the tests without a change: whether those of a warm runner agree with the real one, and how long a candidate may take. */
import { type CaseResult, type JobLimits, type JobResult, outOfTime } from './test-runner.ts';

/** True if both saw the same cases with the same results, and at least one. */
export function agree(one: readonly CaseResult[], other: readonly CaseResult[]): boolean {
  const ends = (cases: readonly CaseResult[]) =>
    cases
      .map(c => `${c.status} ${c.id}`)
      .sort()
      .join('\n');
  return one.length > 0 && ends(one) === ends(other);
}

/** Says why a warm runner cannot be used: why it ended, or the first case that ended in another way than in the other run. */
export function whyNotWarm(
  real: readonly CaseResult[],
  seen: Pick<JobResult, 'cases' | 'why'>,
): string {
  const why = seen.why?.split('\n')[0]?.slice(0, 200) ?? '';
  if (seen.cases.length === 0) return `the warm runner ended${why === '' ? '' : ` (${why})`}`;
  const differs = (one: readonly CaseResult[], other: readonly CaseResult[]) => {
    const known = new Map(other.map(c => [c.id, c.status]));
    return one.find(c => known.get(c.id) !== c.status);
  };
  const found = differs(seen.cases, real) ?? differs(real, seen.cases);
  return found === undefined
    ? 'the warm runner did not end as the real run'
    : `"${found.id.slice(0, 200)}" ended in another way in the warm runner than in the real run`;
}

/** Limits for the tests without a change, which may loop endlessly. */
export const firstLimits: JobLimits = {
  loadMs: 10_000,
  caseMs: 5_000,
  cpuMs: 300_000,
  waitMs: 60_000,
  wallMs: 600_000,
};

/** True if a case reached its limit. */
const isLate = (c: CaseResult) =>
  c.status === 'failed' && (c.message?.includes(outOfTime) ?? false);

/** True if a case of the job ran until its limit. */
export const wasLate = ({ ended, cases }: Pick<JobResult, 'ended' | 'cases'>) =>
  ended === 'time' || cases.some(isLate);

/** A worker or a fork needs this long to start, and a quick case to run. Milliseconds. */
const startMs = 400;
const quickMs = 100;

/**
 * Limits of a candidate: ten times what the slowest case and the whole need without a change. Processor time decides, so
 * that a busy machine does not matter; wall-clock time only ends a test that waits endlessly. A file that does not load
 * hides what its cases need, so they keep the first limit.
 */
export function limitsFrom(
  seen: Pick<JobResult, 'cases' | 'cpuMs' | 'loadMs' | 'spent'>,
): JobLimits {
  const times = Object.values(seen.spent ?? {});
  const hides = seen.cases.some(c => c.status === 'failed' && c.id === c.file);
  const slowest = Math.max(0, ...times.map(t => t.cpuMs));
  const longest = Math.max(0, ...times.map(t => t.wallMs));
  const caseMs = hides ? firstLimits.caseMs : Math.ceil(quickMs + 10 * slowest);
  const loadMs = startMs + Math.ceil(10 * (seen.loadMs ?? seen.cpuMs));
  const cpuMs = Math.ceil(loadMs + caseMs + 10 * seen.cpuMs);
  const waitMs = Math.ceil(10_000 + 10 * caseMs + 3 * longest);
  const wallMs = Math.ceil(waitMs + 10 * cpuMs + 3 * times.reduce((all, t) => all + t.wallMs, 0));
  return { loadMs, caseMs, cpuMs, waitMs, wallMs };
}
