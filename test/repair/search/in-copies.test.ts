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
        return { cases: [], ended: 'done' };
      },
      close: () => {
        state.closed += 1;
      },
    };
  };
  return { state, adapter: { open } };
}

const context = { copies: 2, now: () => 0, signal: new AbortController().signal };

describe('work in copies', () => {
  it('keeps every runner busy', async () => {
    const { state, adapter } = countedRunners();
    const done: number[] = [];
    const work = async (runner: TestRunner, n: number, at: number) => {
      await runner.run({});
      done[at] = 10 * n;
    };
    const all = [1, 2, 3, 4, 5, 6, 7];
    expect(await inCopies({ context, adapter, deadline: 1 }, all, work)).toBe(true);
    expect(done).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(state).toEqual({ opened: 2, closed: 2, now: 0, most: 2 });
  });

  it('ends at the deadline, or at the end that is found meanwhile', async () => {
    const { adapter, state } = countedRunners();
    let time = 0;
    const clock = { ...context, copies: 1, now: () => time++ };
    const copies = { context: clock, adapter, deadline: 3 };
    const done: number[] = [];
    const work = async (_: TestRunner, n: number) => void done.push(n);
    expect(await inCopies(copies, [1, 2, 3, 4, 5], work)).toBe(false);
    expect(done).toEqual([1, 2, 3]);
    const until = { ...copies, deadline: 100, end: () => 2 };
    expect(await inCopies(until, [1, 2, 3, 4, 5], work)).toBe(true);
    expect(done).toEqual([1, 2, 3, 1, 2]);
    expect(state.closed).toBe(2);
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
    const all = inCopies(copies, [1, 2, 3], async () => {});
    await expect(all).rejects.toThrow('no space left');
    expect(state).toMatchObject({ opened: 1, closed: 1 });
  });
});
