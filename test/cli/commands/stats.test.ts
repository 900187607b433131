/** `photon stats` as a process, against the double of GitHub. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
