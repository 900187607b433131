/** What a warm run gives a candidate, what the real run must agree with, and which cases count as endless. */
import { describe, expect, it } from 'vitest';
import { limitsFrom, lostByReal, openBaseRun } from '../../../src/repair/runners/agree.ts';
import type {
  CaseResult,
  CaseTime,
  Job,
  TestRunner,
} from '../../../src/repair/runners/test-runner.ts';

describe('a warm run', () => {
  describe('gives a candidate', () => {
    const passed = { id: 'a', file: 'a', status: 'passed' as const };
    const late = { ...passed, id: 'b', status: 'failed' as const, message: 'ran out of time' };
    const time = (cpuMs: number) => ({ cpuMs, wallMs: cpuMs });
    const seen = { ended: 'done' as const, cpuMs: 40, loadMs: 10, cases: [passed, passed] };

    it('ten times the duration of the tests, and more if one never ends', () => {
      const spent = { a: time(1), b: time(30) };
      expect(limitsFrom({ ...seen, spent })).toMatchObject({
        caseMs: 300,
        startedCaseMs: 300,
        byCase: {},
        loadMs: 500,
        // a thread that has run a job need not start
        startedLoadMs: 250,
        cpuMs: 1200,
      });
      const quick = limitsFrom({ ...seen, spent: { a: time(0.5) } });
      expect(quick).toMatchObject({ caseMs: 25, startedCaseMs: 10 });
      const endless = { ...seen, cpuMs: 9_000, cases: [passed, late], spent: { a: time(1) } };
      expect(limitsFrom(endless)).toMatchObject({
        caseMs: 50,
        startedCaseMs: 50,
        loadMs: 500,
        cpuMs: 560,
      });
    });

    it('more for a slow case alone', () => {
      const spent = { a: time(1), b: time(2_000), c: time(2) };
      const { caseMs, waitMs, byCase, loadMs } = limitsFrom({ ...seen, cpuMs: 2_010, spent });
      expect({ caseMs, loadMs }).toEqual({ caseMs: 25, loadMs: 500 });
      expect(Object.keys(byCase)).toEqual(['b']);
      expect(byCase.b?.cpuMs).toBe(20_000);
      expect(waitMs).toBeLessThan(15_000);
    });

    it('in a suite of slow cases as much as is usual, because a failing one may stop early', () => {
      const spent = { a: time(1), b: time(2_000), c: time(2_100) };
      expect(limitsFrom({ ...seen, cpuMs: 4_110, spent }).caseMs).toBe(1_000);
    });
  });
});

describe('results that the real run lost', () => {
  const result = (name: string, status: CaseResult['status']): CaseResult => ({
    id: `a.test.js > ${name}`,
    file: 'a.test.js',
    status,
  });
  const seen = [result('one', 'passed'), result('two', 'failed'), result('three', 'passed')];

  it('follow a failure in their file', () => {
    expect(lostByReal(seen.slice(0, 1), seen)).toBe(true);
    expect(lostByReal(seen.slice(0, 2), seen)).toBe(false);
  });

  it('do not excuse another result, or a run without any', () => {
    expect(lostByReal([result('one', 'failed')], seen)).toBe(false);
    expect(lostByReal([...seen, result('four', 'passed')], seen)).toBe(false);
    expect(lostByReal([], seen)).toBe(false);
  });
});

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
