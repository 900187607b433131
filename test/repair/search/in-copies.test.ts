/** Work is shared out to runners; each runner is opened once. */
import { describe, expect, it } from 'vitest';
import type { TestRunner } from '../../../src/repair/runners/test-runner.ts';
import { inCopies } from '../../../src/repair/search/in-copies.ts';

/** Runners that count how many jobs they have at once, and end them in the order that a test gives. */
function countedRunners() {
  const state = { opened: 0, closed: 0, now: 0, most: 0 };
  const open = async (): Promise<TestRunner> => {
    state.opened += 1;
    return {
      run: async () => {
        state.now += 1;
        state.most = Math.max(state.most, state.now);
        // other work gets its turn before this job ends
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        state.now -= 1;
        return { cases: [], ended: 'done', coverage: [], cpuMs: 0 };
      },
      close: () => {
        state.closed += 1;
      },
    };
  };
  return { state, adapter: { open } };
}

const job = { files: {}, stages: [], bail: true, coverage: false };
const context = { copies: 2, now: () => 0, signal: new AbortController().signal };

describe('work in copies', () => {
  it('keeps every runner busy', async () => {
    const { state, adapter } = countedRunners();
    const run = async (runner: TestRunner, n: number) => {
      await runner.run(job);
      return 10 * n;
    };
    const found = await inCopies({ context, adapter, deadline: 1 }, [1, 2, 3, 4, 5, 6, 7], run);
    expect(found).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(state).toEqual({ opened: 2, closed: 2, now: 0, most: 2 });
  });

  it('ends at the deadline, with the results until then', async () => {
    const { adapter, state } = countedRunners();
    let time = 0;
    const clock = { ...context, copies: 1, now: () => time++ };
    const copies = { context: clock, adapter, deadline: 3 };
    const found = await inCopies(copies, [1, 2, 3, 4, 5], async (_, n) => n);
    expect(found).toEqual([1, 2, 3]);
    expect(state.closed).toBe(1);
  });

  it('closes the runners that opened if another one does not open', async () => {
    const { adapter, state } = countedRunners();
    let opened = 0;
    const open = async () => {
      opened += 1;
      if (opened === 2) throw new Error('no space left');
      return adapter.open();
    };
    const copies = { context, adapter: { open }, deadline: 1 };
    const all = inCopies(copies, [1, 2, 3], async (_, n) => n);
    await expect(all).rejects.toThrow('no space left');
    expect(state).toMatchObject({ opened: 1, closed: 1 });
  });
});
