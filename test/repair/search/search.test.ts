import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/candidates/candidates.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { search } from '../../../src/repair/search/search.ts';
import { candidate } from '../survivors.ts';

/** Each candidate writes its rank. */
const candidates: readonly Candidate[] = Array.from({ length: 3000 }, (_, rank) =>
  candidate({ start: 0, end: 1, text: String(rank) }, { score: 1 - rank / 6000 }),
);

const failing: CaseResult = { id: 'a.test.js > works', file: 'a.test.js', status: 'failed' };

const passing: CaseResult = { id: 'a.test.js > worked', file: 'a.test.js', status: 'passed' };

/** Tests that pass at some ranks and never end at others; `seed` decides how long each takes. */
function runnerFor(seed: number, passes: ReadonlySet<number>, late: (rank: number) => boolean) {
  const order: number[] = [];
  const adapter: RunnerAdapter = {
    name: 'ranks',
    base: [failing, passing],
    ran: { failing: new Map(), others: new Map() },
    open: async () => ({
      run: async files => {
        const rank = Number(files['a.js']);
        for (let turn = (rank * 7919 + seed * 31) % 11; turn > 0; turn--)
          await new Promise(setImmediate);
        const isLate = late(rank);
        order.push(rank);
        const cases: CaseResult[] = passes.has(rank)
          ? [
              { ...failing, status: 'passed' },
              { ...passing, status: isLate ? 'failed' : 'passed' },
            ]
          : [failing];
        return { cases, ended: isLate ? 'time' : 'done' };
      },
      close: () => {},
    }),
  };
  return { adapter, order };
}

async function searchWith(copies: number, seed: number, late: (rank: number) => boolean) {
  const { adapter, order } = runnerFor(seed, new Set([37, 45, 120]), late);
  const lines: string[] = [];
  const context = {
    copies,
    now: () => 0,
    signal: new AbortController().signal,
    log: (line: string) => lines.push(line),
  } as unknown as RepairContext;
  const textOf = new Map([['a.js', 'x']]);
  const found = await search({ context, adapter, candidates, textOf, deadline: 1 });
  const ranks = found.survivors.map(s => s.rank);
  const { tried, cut } = found;
  return { ranks, tried, cut, order, lines };
}

describe('the search', () => {
  it('comes to the same with one copy and with many', async () => {
    const late = (rank: number) => rank % 50 === 1;
    const one = await searchWith(1, 0, late);
    expect(one.ranks).toEqual([37, 45]);
    expect(one.order).toEqual(one.order.toSorted((a, b) => a - b));
    for (const [copies, seed] of [
      [2, 1],
      [2, 2],
      [7, 3],
    ] as const) {
      const many = await searchWith(copies, seed, late);
      expect(many.order).not.toEqual(many.order.toSorted((a, b) => a - b));
      expect({ ranks: many.ranks, tried: many.tried, cut: many.cut }).toEqual({
        ranks: one.ranks,
        tried: one.tried,
        cut: false,
      });
    }
  });

  it('goes less far where candidates never end', async () => {
    const quick = await searchWith(2, 1, () => false);
    const slow = await searchWith(2, 1, rank => rank > 37);
    expect(quick.tried).toBe(50);
    expect(slow.tried).toBe(40);
    expect(slow.ranks).toEqual([37]);
  });

  it('logs as soon as one passes', async () => {
    const { lines } = await searchWith(1, 0, () => false);
    expect(lines[0]).toMatch(/^Repair: 38 candidates tried \(\d+ per second\); 1 pass\.$/);
  });
});
