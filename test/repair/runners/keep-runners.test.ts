/** Runners stay open between the phases of a search. */
import { describe, expect, it } from 'vitest';
import { keepRunners } from '../../../src/repair/runners/keep-runners.ts';
import type { Job, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';

const job: Job = { files: {}, stages: [], bail: true, coverage: false };

/** An adapter that counts its runners, with what each was asked to do. */
function countedAdapter() {
  const opened: { jobs: Job[]; closed: boolean }[] = [];
  const adapter: RunnerAdapter = {
    name: 'counted',
    base: [],
    coverage: [],
    maxCandidates: 1,
    further: 1,
    open: async () => {
      const runner = { jobs: [] as Job[], closed: false };
      opened.push(runner);
      return {
        run: async given => {
          runner.jobs.push(given);
          return { cases: [], ended: 'done', coverage: [], cpuMs: 0 };
        },
        close: () => {
          runner.closed = true;
        },
      };
    },
    close: () => {},
  };
  return { opened, kept: keepRunners(adapter, () => {}) };
}

describe('a runner that was closed', () => {
  it('serves the next phase, and ends with the adapter', async () => {
    const { opened, kept } = countedAdapter();
    const [one, two] = [await kept.open(), await kept.open()];
    for (const runner of [one, two]) {
      await runner.run(job);
      runner.close();
    }
    const again = await kept.open();
    await again.run(job);
    expect(opened.map(o => o.jobs.length).sort()).toEqual([1, 2]);
    kept.close();
    // one was still at work
    expect(opened.map(o => o.closed).sort()).toEqual([false, true]);
    again.close();
    expect(opened.every(o => o.closed)).toBe(true);
  });

  it('was started before it was needed', async () => {
    const { opened, kept } = countedAdapter();
    kept.prepare(2, []);
    expect(opened.length).toBe(2);
    kept.prepare(2, []);
    const runners = [await kept.open(), await kept.open()];
    expect(opened.length).toBe(2);
    for (const runner of runners) runner.close();
    kept.close();
    expect(opened.every(o => o.closed)).toBe(true);
  });

  it('finds the cases that others need before it is needed, and ends at once if nobody needs it', async () => {
    const stage = { tests: ['a.test.js'], only: ['a.test.js > fails'] };
    const jobs: Job[] = [];
    let stop = () => {};
    let closed = 0;
    const began = Promise.withResolvers<void>();
    const kept = keepRunners(
      {
        name: 'waiting',
        base: [{ id: 'a.test.js > fails', file: 'a.test.js', status: 'failed' }],
        coverage: [],
        maxCandidates: 1,
        further: 400,
        open: async () => ({
          run: given => {
            jobs.push(given);
            began.resolve();
            return new Promise(done => {
              stop = () => done({ cases: [], ended: 'crash', coverage: [], cpuMs: 0 });
            });
          },
          close: () => {
            closed += 1;
            stop();
          },
        }),
        close: () => {},
      },
      () => {},
    );
    kept.prepare(1, [stage]);
    await began.promise;
    expect(jobs).toEqual([{ ...job, bail: false, stages: [stage] }]);
    kept.close();
    expect(closed).toBeGreaterThan(0);
  });
});
