/** Runs the tests without a change, so that a slow test is not taken for an endless one. */
import { firstLimits, isLate } from './agree.ts';
import type {
  CaseLimits,
  CaseResult,
  CaseTime,
  Job,
  JobResult,
  TestRunner,
} from './test-runner.ts';

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
