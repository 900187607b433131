import { describe, expect, it } from 'vitest';
import type { PullFate } from '../../../src/base/dashboard-state.ts';
import { type CountedRun, renderStats, sumRuns } from '../../../src/report/terminal/stats.ts';

const run = (more: Partial<CountedRun>): CountedRun => ({
  status: 'committed',
  repository: 'o/r',
  model: 'm1',
  skills: ['code-modify'],
  startedAt: '2026-01-01T00:00:00Z',
  durationMs: 10_000,
  rounds: 4,
  ...more,
});

const runs = [
  run({ pull: 1, cost: 0.1 }),
  run({ pull: 2, cost: 0.2, model: 'm2', durationMs: 20_000 }),
  // a second run on the same pull request
  run({ pull: 2, cost: 0.3, model: 'm2', durationMs: 30_000 }),
  run({ pull: 3, cost: 0.4, skills: [] }),
  run({ status: 'failed', cost: 0.5, skills: ['code-modify', 'test-repair'], durationMs: 90_000 }),
];
const pulls = new Map<number, PullFate>([
  [1, 'merged'],
  [2, 'merged'],
  [3, 'reverted'],
  [9, 'closed'],
  [10, 'open'],
]);

describe('the sums of runs', () => {
  const stats = sumRuns(runs, pulls);

  it('count what stayed merged, and share the cost of every run among it', () => {
    expect(stats).toMatchObject({
      runs: 5,
      delivered: 4,
      merged: 2,
      medianSeconds: 20,
      medianRounds: 4,
    });
    expect(stats.cost).toBeCloseTo(1.5);
    expect(stats.costPerMerged).toBeCloseTo(0.75);
    expect(stats.pulls).toEqual({ open: 1, merged: 2, closed: 1, reverted: 1 });
    expect(stats.byStatus).toEqual({ committed: 4, failed: 1 });
  });

  it('are the same by model and by skill', () => {
    expect(stats.byModel.m2).toEqual({
      runs: 2,
      delivered: 2,
      merged: 1,
      cost: 0.5,
      costPerMerged: 0.5,
    });
    expect(stats.byModel.m1?.merged).toBe(1);
    expect(stats.bySkill['test-repair']).toMatchObject({
      runs: 1,
      delivered: 0,
      merged: 0,
      costPerMerged: null,
    });
    expect(stats.bySkill.none).toMatchObject({ runs: 1, merged: 0 });
  });

  it('say unknown for what nobody asked or nobody knows', () => {
    const unpriced = sumRuns([run({ pull: 1 }), run({ durationMs: 30_000 })], undefined);
    expect(unpriced).toMatchObject({
      merged: null,
      cost: null,
      costPerMerged: null,
      pulls: null,
      medianSeconds: 20,
    });
    expect(renderStats(unpriced)).toContain('cost: unknown, for each merged pull request: unknown');
    expect(renderStats(unpriced)).toContain('pull requests: not asked');
    expect(sumRuns([], pulls)).toMatchObject({ runs: 0, medianSeconds: null, costPerMerged: null });
  });

  it('read like this', () => {
    expect(renderStats(stats)).toBe(
      [
        '5 runs · 4 committed, 1 failed · median 20 s, 4 rounds',
        'cost: 1.5000, for each merged pull request: 0.7500',
        'pull requests: 5 opened, 2 merged, 1 reverted, 1 closed, 1 open',
        '',
        'model  runs  delivered  merged  cost    cost per merged',
        'm1     3     2          1       1.0000  1.0000',
        'm2     2     2          1       0.5000  0.5000',
        '',
        'skill        runs  delivered  merged  cost    cost per merged',
        'code-modify  4     3          2       1.1000  0.5500',
        'none         1     1          0       0.4000  unknown',
        'test-repair  1     0          0       0.5000  unknown',
        '',
      ].join('\n'),
    );
  });
});
