/** `photon stats` as a process, against the double of GitHub. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PullFate } from '../../../src/base/dashboard-state.ts';
import { type CountedRun, renderStats, sumRuns } from '../../../src/cli/commands/stats.ts';
import { addPull } from '../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import { bot, type PullState } from '../../doubles/github-routes.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';
import { outcome } from '../../report/hostile.ts';

let folder: string;
let github: GitHubDouble;
beforeAll(async () => {
  folder = makeFolder();
  github = await startGitHub({ seed: sampleFiles });
});
afterAll(async () => {
  await github.close();
  discard(folder);
});

function keep(name: string, more: object): void {
  mkdirSync(join(folder, 'artifacts', name), { recursive: true });
  writeFileSync(join(folder, 'artifacts', name, 'outcome.json'), JSON.stringify(more));
}

const run = (pull: number, more: object = {}) => ({
  ...outcome('x', 'committed'),
  repository: github.repository,
  delivered: { kind: 'pull-request', operation: 'created', pullRequestNumber: pull },
  ...more,
});

function open(number: number, more: Partial<PullState> = {}): void {
  addPull(github.state, {
    number,
    title: 't',
    state: 'closed',
    head: `photon/fix-${number}`,
    user: bot,
    headSha: '1'.repeat(40),
    ...more,
  });
}

const stats = (...args: string[]) =>
  startPhoton({
    args: ['stats', join(folder, 'artifacts'), ...args],
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      GITHUB_TOKEN: github.token,
      GITHUB_API_URL: github.url,
    },
  });

describe('photon stats', () => {
  it('asks GitHub what became of each pull request, also of the hundredth', async () => {
    const merged = { mergedAt: '2026-01-02T00:00:00Z', mergedAs: 'a'.repeat(40) };
    open(1, merged);
    open(2, { ...merged, mergedAs: 'b'.repeat(40) });
    open(3, { ...merged, mergedAs: 'c'.repeat(40) });
    open(4);
    open(5, { state: 'open', headSha: '2'.repeat(40) });
    // taken back by the button, and by git revert
    open(6, { ...merged, head: 'revert-2', body: `Reverts ${github.repository}#2` });
    github.store.push(
      'main',
      { 'README.md': 'x' },
      `Revert "t"\n\nThis reverts commit ${'c'.repeat(40)}.`,
    );
    for (let n = 7; n < 130; n++) open(n, { head: `feature-${n}` });
    for (const n of [1, 2, 3, 4]) keep(`run-${n}`, run(n));
    keep('older', run(4, { startedAt: '2025-01-01T00:00:00.000Z' }));
    keep('elsewhere', run(1, { repository: 'other/repo' }));
    keep('broken', { schema: 1 });
    const { out, err, code } = await stats(
      '--on',
      github.repository,
      '--since',
      '2025-06-01',
      '--json',
    );
    expect(code, err).toBe(0);
    expect(err).toContain('1 file named outcome.json cannot be read as one.');
    expect(JSON.parse(out)).toMatchObject({
      runs: 4,
      delivered: 4,
      merged: 1,
      cost: 0.04,
      costPerMerged: 0.04,
      pulls: { open: 1, merged: 1, closed: 1, reverted: 2 },
    });
    expect(github.violations).toEqual([]);
  });

  it('counts without GitHub, and says what it does not know', async () => {
    const { out, code } = await stats();
    expect(code).toBe(0);
    expect(out).toMatch(/^6 runs · 6 committed · median 60 s, 3 rounds\n/);
    expect(out).toContain('pull requests: not asked');
  });

  it.each([
    [
      ['--since', 'yesterday'],
      2,
      '--since takes a day, such as 2026-01-31, not "yesterday". [USAGE]',
    ],
    [['--on', 'x'], 2, '--on takes OWNER/NAME, not "x". [USAGE]'],
    [['/nonexistent-1'], 0, ''],
  ])('with %j ends with %i', async (args, code, text) => {
    const ran = await stats(...args);
    expect(ran).toMatchObject({ code, err: expect.stringContaining(text) });
  });
});

describe('the sums of runs', () => {
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
    run({
      status: 'failed',
      cost: 0.5,
      skills: ['code-modify', 'test-repair'],
      durationMs: 90_000,
    }),
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
      expect(renderStats(unpriced)).toContain(
        'cost: unknown, for each merged pull request: unknown',
      );
      expect(renderStats(unpriced)).toContain('pull requests: not asked');
      expect(sumRuns([], pulls)).toMatchObject({
        runs: 0,
        medianSeconds: null,
        costPerMerged: null,
      });
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
});
