import { expect, it } from 'vitest';
import { chooseBudget } from '../../src/run/inspect-patch.ts';

const settings = { proofBudgetMs: undefined, require: 'no-regression' } as const;
const hour = 3_600_000;

it.each([
  ['one run of the tests and 2.5 seconds', {}, { tookMs: 2_000 }, 4_500],
  ['less what the verdict took', {}, { tookMs: 100_000, ownMs: 40_000 }, 62_500],
  ['one run after a long verdict', {}, { tookMs: 2_000, ownMs: 60_000 }, 2_500],
  [
    'what a requirement needs, also then',
    { require: 'decided' },
    { tookMs: 2_000, ownMs: 60_000 },
    5_000,
  ],
  ['the setting decides', { proofBudgetMs: 0 }, { tookMs: 2_000 }, 0],
  ['half of what the run has left stays', {}, { tookMs: 2_000, leftMs: 4_000 }, 2_000],
] as const)('%s', (_name, set, times, ms) =>
  expect(chooseBudget({ ...settings, ...set }, { ownMs: 0, leftMs: hour, ...times })).toBe(ms),
);
