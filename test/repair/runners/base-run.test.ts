/** Runs of the tests without a change: which cases count as endless. */
import { expect, it } from 'vitest';
import { openBaseRun } from '../../../src/repair/runners/base-run.ts';
import type { CaseTime, Job, TestRunner } from '../../../src/repair/runners/test-runner.ts';

/** A runner whose cases take these milliseconds of processor time; after a late case, others get half a second. */
function runnerOf(times: Readonly<Record<string, number>>, jobs: Job[]): TestRunner {
  return {
    run: async job => {
      jobs.push(job);
      const { caseMs = 0, byCase = {} } = job.limits ?? {};
      const only = job.stages[0]?.only ?? Object.keys(times);
      const spent: Record<string, CaseTime> = {};
      let usual = caseMs;
      const cases = only.map(id => {
        const ms = times[id] ?? 0;
        const late = ms > (byCase[id]?.cpuMs ?? usual);
        if (late) usual = 500;
        else spent[id] = { cpuMs: ms, wallMs: ms };
        const about = { id, file: 'a.test.js' } as const;
        return late
          ? { ...about, status: 'failed' as const, message: 'ran out of time' }
          : { ...about, status: 'passed' as const };
      });
      return { cases, spent, ended: 'done', coverage: [], cpuMs: 1 };
    },
    close: () => {},
  };
}

const whole = { files: {}, stages: [{ tests: [], only: null }], bail: false, coverage: true };

it('a slow case behind an endless one is none, and the endless one is tried once more only', async () => {
  const jobs: Job[] = [];
  const times = { quick: 1, endless: Number.POSITIVE_INFINITY, slow: 3_000, middle: 700 };
  const base = openBaseRun(runnerOf(times, jobs));
  for (let i = 0; i < 2; i++) {
    const { cases } = await base(whole);
    expect(cases.filter(c => c.status === 'failed').map(c => c.id)).toEqual(['endless']);
  }
  const ran = jobs.map(j => j.stages[0]?.only);
  expect(ran).toEqual([null, ['endless', 'slow'], ['middle'], null, null]);
});

it('of many cases that never end, two are tried once more', async () => {
  const jobs: Job[] = [];
  const never = Number.POSITIVE_INFINITY;
  const base = openBaseRun(runnerOf({ one: never, quick: 1, two: never, three: never }, jobs));
  await base(whole);
  expect(jobs.map(j => j.stages[0]?.only)).toEqual([null, ['one', 'two']]);
  // later jobs give them little time
  await base(whole);
  expect(jobs.at(-1)?.limits?.byCase?.one?.cpuMs).toBeLessThan(1_000);
});

it('quick cases run once', async () => {
  const jobs: Job[] = [];
  await openBaseRun(runnerOf({ one: 1, other: 100 }, jobs))(whole);
  expect(jobs).toHaveLength(1);
});
