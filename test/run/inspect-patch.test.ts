import { expect, it } from 'vitest';
import { chooseBudget } from '../../src/run/inspect-patch.ts';

const settings = { proofBudgetMs: undefined, minimise: 'off', require: 'no-regression' } as const;
const hour = 3_600_000;

it.each([
  ['a small suite has time for three runs of it', {}, { tookMs: 2_000 }, 7_000],
  ['also after a long verdict', {}, { tookMs: 2_000, furtherMs: 60_000 }, 7_000],
  ['also where more than a report depends on it', { minimise: 'take' }, { tookMs: 9_000 }, 28_000],
  ['a larger suite has less than one run', {}, { tookMs: 100_000 }, 90_000],
  ['less what the verdict took', {}, { tookMs: 100_000, furtherMs: 40_000 }, 50_000],
  ['the setting decides', { proofBudgetMs: 0 }, { tookMs: 2_000 }, 0],
  ['half of what the run has left stays', {}, { tookMs: 2_000, leftMs: 4_000 }, 2_000],
] as const)('%s', (_name, set, times, ms) =>
  expect(chooseBudget({ ...settings, ...set }, { furtherMs: 0, leftMs: hour, ...times })).toBe(ms),
);
