/** Where there is no time for all candidates, what speaks for one decides which are tried. */
import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/candidates/candidates.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import type { RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { countAffordable, likeliestFirst } from '../../../src/repair/search/likely.ts';
import { survivor } from '../survivors.ts';

const lines = ['const rate = 1;', 'const limit = "old";', 'const shown = vat(rate);', 'other();'];
const edit = (line: number, score: number, text = 'x'): Candidate => ({
  ...survivor(text).candidate,
  line,
  score,
});
const candidates = [
  edit(4, 0.9),
  edit(1, 0.8),
  edit(2, 0.7),
  edit(3, 0.65),
  edit(4, 0.62, '"new"'),
];
const nothing = {
  task: 'Make the failing tests pass.',
  compared: [],
  recent: new Map(),
  textOf: new Map([['a.js', lines.join('\n')]]),
};
const firstOf = (more: object) => likeliestFirst(candidates, { ...nothing, ...more })[0];

it('the likeliest candidates are those of a late change, of the values that were compared, and of the words of the task', () => {
  expect(likeliestFirst(candidates, nothing)).toEqual(candidates);
  expect(firstOf({ recent: new Map([['a.js', new Set([3])]]) })).toBe(candidates[3]);
  expect(firstOf({ compared: [{ actual: '"old"', expected: '"nothing"' }] })).toBe(candidates[2]);
  expect(firstOf({ compared: [{ actual: '"none"', expected: '"new"' }] })).toBe(candidates[4]);
  expect(firstOf({ task: 'The limit is wrong: fix it.' })).toBe(candidates[2]);
});

/** Counts what a runner affords whose runs take so long, one after the other. */
async function affordable(runs: readonly number[]) {
  const log: string[] = [];
  let now = 0;
  let run = 0;
  const adapter = {
    base: [{ id: 'a > x', file: 'a', status: 'failed' }],
    further: 400,
    open: async () => ({
      run: async () => {
        now += runs[run++] ?? expect.fail('ran too often');
        return { cases: [], ended: 'done', coverage: [], cpuMs: 1 };
      },
      close: () => {},
    }),
  } as unknown as RunnerAdapter;
  const context = { copies: 2, now: () => now, log: (line: string) => log.push(line) };
  const bounds = { candidates: 300, deadline: 60_000 };
  return {
    count: await countAffordable(context as unknown as RepairContext, adapter, bounds),
    log,
  };
}

it('the time of a candidate says before the search what can be tried', async () => {
  expect(await affordable([2_000, 1_000])).toEqual({
    count: 114,
    log: [
      'Repair: a candidate takes about 1.0 s, so about 114 of 300 candidates can be tried in the 57 s left, the likeliest first.',
    ],
  });
  // the first run only loaded what later ones find
  expect(await affordable([2_000, 20])).toMatchObject({ log: [] });
  expect(await affordable([5])).toMatchObject({ log: [] });
});
