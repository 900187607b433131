/** Runs of the tests without a change: whether those of a warm runner agree with the real one, and how long a candidate may take. */
import {
  type CaseLimits,
  type CaseResult,
  type CaseTime,
  type Job,
  type JobResult,
  outOfTime,
  type TestRunner,
} from './test-runner.ts';

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

/**
 * True if the real run saw the same results, but lost those that follow a failure in a file: node:test loses the
 * rest of a file if it cannot send a failure, such as one that compares functions.
 */
export function lostByReal(real: readonly CaseResult[], seen: readonly CaseResult[]): boolean {
  const keyOf = ({ id, status }: CaseResult) => `${status} ${id}`;
  const left = Map.groupBy(seen, keyOf);
  for (const one of real) if (left.get(keyOf(one))?.pop() === undefined) return false;
  const lost = [...left.values()].flat();
  const failed = new Set(lost.filter(c => c.status === 'failed').map(c => c.file));
  return real.length > 0 && lost.every(c => failed.has(c.file));
}

/** Says why a warm runner cannot be used: why it ended, or the first case that ended in another way than in the real run. */
export function whyNotWarm(
  real: readonly CaseResult[],
  seen: Pick<JobResult, 'cases' | 'ended' | 'why'>,
): string {
  const why = seen.why?.split('\n')[0]?.slice(0, 200) ?? '';
  const ended = `the warm runner ended${why === '' ? '' : ` (${why})`}`;
  if (seen.cases.length === 0) return ended;
  const differs = (one: readonly CaseResult[], other: readonly CaseResult[]) => {
    const known = new Map(other.map(c => [c.id, c.status]));
    return one.find(c => known.get(c.id) !== c.status);
  };
  const found = differs(real, seen.cases) ?? differs(seen.cases, real);
  return found === undefined
    ? 'the warm runner did not end as the real run'
    : `"${found.id.slice(0, 200)}" ended in another way in the warm runner than in the real run`;
}

/** Limits for the tests without a change, which may loop endlessly. */
export const firstLimits: CaseLimits = {
  caseMs: 2_000,
  waitMs: 60_000,
  byCase: {},
  loadMs: 10_000,
  cpuMs: 300_000,
  wallMs: 600_000,
};

/** True if a case reached its limit. */
export const isLate = (c: CaseResult) =>
  c.status === 'failed' && (c.message?.includes(outOfTime) ?? false);

/** True if a case of the job ran until its limit. */
export const wasLate = ({ ended, cases }: Pick<JobResult, 'ended' | 'cases'>) =>
  ended === 'time' || cases.some(isLate);

/** A first job compiles and loads what later ones find there. */
const minMs = 25;
const startedMinMs = 10;
/** For a test that never ends: nothing shows how long it takes once it is repaired. */
const minLateMs = 50;
/** A case that takes longer has limits of its own, and gives no other case more time. */
const quickMs = 100;
const quickWaitMs = 1_000;
/** A worker or a fork needs this long to start and to load. */
const startMs = 400;
/** One that has run a job loads no more than what a candidate imports in addition. */
const startedMs = 150;

/** How long a case may wait without using the processor: longer on a busy machine. */
const waitFor = ({ cpuMs, wallMs }: CaseTime) => Math.ceil(10_000 + 10 * cpuMs + 3 * wallMs);

/** The result with the times of another run where these are longer. */
export function withTimes<R extends Pick<JobResult, 'spent'>>(
  seen: R,
  more: Readonly<Record<string, CaseTime>>,
): R {
  const spent = { ...seen.spent };
  for (const [id, { cpuMs, wallMs }] of Object.entries(more)) {
    const known = spent[id] ?? { cpuMs, wallMs };
    spent[id] = {
      cpuMs: Math.max(cpuMs, known.cpuMs),
      wallMs: Math.max(wallMs, known.wallMs),
    };
  }
  return { ...seen, spent };
}

/**
 * Limits of a candidate: ten times what each case and the whole need without a change. Processor time decides, so that
 * a busy machine does not matter; wall-clock time only ends a test that waits endlessly. A failing case may need more
 * once it is repaired, as much as is usual in the suite. `hides` is true if cases behind a failure did not run, such as
 * those of a file that does not load: they get the first limit, and the others keep theirs.
 */
export function limitsFrom(
  seen: Pick<JobResult, 'ended' | 'cases' | 'cpuMs' | 'loadMs' | 'spent'>,
  hides = seen.cases.some(c => c.status === 'failed' && c.id === c.file),
): CaseLimits {
  const late = wasLate(seen);
  const spent = Object.entries(seen.spent ?? {});
  const times = spent.map(([, { cpuMs }]) => cpuMs).sort((a, b) => a - b);
  const usual = Math.min(times[Math.floor((times.length - 1) / 2)] ?? 0, quickMs);
  // nothing shows what the endless one needs of what others prepared
  const slowest = late ? Math.min(times.at(-1) ?? 0, quickMs) : 0;
  const quick = Math.max(usual, slowest, times.findLast(t => t <= quickMs) ?? 0);
  const caseFrom = (least: number) => Math.ceil(Math.max(late ? minLateMs : least, 10 * quick));
  const caseMs = caseFrom(minMs);
  const waitMs = waitFor({ cpuMs: caseMs, wallMs: quickWaitMs });
  const slow = spent.filter(([, t]) => hides || 10 * t.cpuMs > caseMs || t.wallMs > quickWaitMs);
  const own = slow.map(([id, { cpuMs, wallMs }]) => {
    const limit = Math.max(caseMs, Math.ceil(10 * cpuMs));
    return [id, { cpuMs: limit, wallMs: waitFor({ cpuMs: limit, wallMs }) }] as const;
  });
  const sum = (of: keyof CaseTime) => spent.reduce((all, [, t]) => all + t[of], 0);
  // in a job that a loop held up, only the cases that ended show how long the whole takes
  const wholeMs = late ? sum('cpuMs') : seen.cpuMs;
  const tenTimes = Math.ceil(10 * (seen.loadMs ?? (late ? 0 : seen.cpuMs)));
  const loadMs = startMs + tenTimes;
  const hiddenMs = hides ? 10 * firstLimits.caseMs : 0;
  const cpuMs = Math.ceil(loadMs + caseMs + 10 * wholeMs + hiddenMs);
  const wallMs = Math.ceil(10_000 + 10 * cpuMs + 3 * sum('wallMs'));
  const most = hides
    ? { caseMs: firstLimits.caseMs, waitMs: firstLimits.waitMs }
    : { caseMs, startedCaseMs: caseFrom(startedMinMs), waitMs };
  return {
    ...most,
    byCase: Object.fromEntries(own),
    loadMs,
    startedLoadMs: startedMs + tenTimes,
    cpuMs,
    wallMs,
  };
}

/** Limits of cases that ran out of time once. What is named by case keeps its time if another case is late. */
const slowTime: CaseTime = { cpuMs: 6_000, wallMs: firstLimits.waitMs };
const slowLimits: CaseLimits = { ...firstLimits, cpuMs: 40_000, wallMs: 120_000 };
/** With more cases, what all call never ends. */
const maxSlow = 10;
/** If as many never end, no other that ran out of time is expected to. */
const sampled = 2;
/** For cases that are known never to end: what they run first shows in this time. */
const endlessTime: CaseTime = { cpuMs: 300, wallMs: firstLimits.waitMs };
/** What a case took once may be three times as much in the next run. */
const spare = 3;

/**
 * Runs jobs on a runner that was opened with `firstLimits`. The cases that run out of time run once more, alone and with
 * more of it: the first two, and the others if one of these ends. If some end, the job runs again with the time that these
 * need. Later jobs give those that never end little time.
 */
export function openBaseRun(runner: TestRunner): (job: Job) => Promise<JobResult> {
  let byCase: Readonly<Record<string, CaseTime>> = {};
  const endless = new Set<string>();
  const run = (job: Job) => runner.run({ ...job, limits: { ...firstLimits, byCase } });
  return async job => {
    const seen = await run(job);
    const late = seen.cases.filter(c => isLate(c) && !endless.has(c.id));
    if (late.length === 0 || late.length > maxSlow) return seen;
    const again = async (
      cases: readonly CaseResult[],
    ): Promise<Readonly<Record<string, CaseTime>>> => {
      const only = cases.map(c => c.id);
      const { spent = {} } = await runner.run({
        ...job,
        stages: [{ tests: [...new Set(cases.map(c => c.file))], only }],
        coverage: false,
        limits: { ...slowLimits, byCase: Object.fromEntries(only.map(id => [id, slowTime])) },
      });
      return spent;
    };
    const only = late.map(c => c.id);
    const sample = late.slice(0, sampled);
    const first = await again(sample);
    const others = late.slice(sampled);
    const hope = others.length > 0 && late.some(c => first[c.id] !== undefined);
    const spent = hope ? { ...first, ...(await again(others)) } : first;
    for (const id of only) if (spent[id] === undefined) endless.add(id);
    byCase = { ...byCase, ...Object.fromEntries([...endless].map(id => [id, endlessTime])) };
    const slow = only.flatMap(id => (spent[id] === undefined ? [] : [[id, spent[id]] as const]));
    if (slow.length === 0) return seen;
    const more = slow.map(([id, { cpuMs, wallMs }]) => {
      const limit = Math.max(firstLimits.caseMs, spare * cpuMs);
      return [id, { cpuMs: limit, wallMs: firstLimits.waitMs + spare * wallMs }] as const;
    });
    byCase = { ...byCase, ...Object.fromEntries(more) };
    return run(job);
  };
}
