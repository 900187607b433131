import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../src/cli/commands/runs.ts';
import { outcome } from '../../report/hostile.ts';
import { repo, useClone } from '../clone.ts';
import { carryOut } from '../recorded-terminal.ts';

useClone();

/** Keeps a run as `photon run` does. */
function keep(id: string, files: Readonly<Record<string, string>>): void {
  const folder = join(repo, '.photon/runs', id);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const failed = (startedAt: string) => JSON.stringify({ ...outcome('x'), startedAt });
const list = (...flags: string[]) => carryOut(runs, 'runs', ['--repo', repo, ...flags]);

describe('the list of runs', () => {
  it('says how to start where there is none', async () => {
    expect(await list()).toMatchObject({ code: 0, out: expect.stringContaining('photon run') });
    expect(JSON.parse((await list('--json')).out)).toEqual([]);
  });

  it('has the newest first, each by its short name, also one whose outcome cannot be read', async () => {
    keep('20260101080000-0a1b2c3d', { 'outcome.json': failed('2026-01-01T08:00:05.000Z') });
    const long = {
      ...JSON.parse(failed('2026-01-01T07:00:05.000Z')),
      code: 'CORRECTIONS_EXHAUSTED',
    };
    keep('20260101070000-0a0a0a0a', { 'outcome.json': JSON.stringify(long) });
    keep('20260102090000-aaaaaaaa', { 'outcome.json': '{"schema": 1' });
    keep('notes', { 'outcome.json': failed('2026-01-03T08:00:05.000Z') });
    const { out } = await list();
    expect(out.trimEnd().split('\n')).toEqual([
      'aaaaaaaa  2026-01-02 09:00  ended without an outcome',
      expect.stringMatching(/^0a1b2c3d {2}2026-01-01 08:00 {2}.+ {2}failed VERIFY_FAILED +.*\d s/),
      expect.stringContaining('failed CORRECTIONS_EXHAUSTED'),
    ]);
    // the columns stand below each other
    expect(
      new Set(
        out
          .split('\n')
          .slice(1, 3)
          .map(line => line.indexOf('–')),
      ).size,
    ).toBe(1);
    const data = JSON.parse((await list('--json')).out) as readonly object[];
    expect(data).toMatchObject([
      { name: 'aaaaaaaa' },
      { name: '0a1b2c3d', status: 'failed', code: 'VERIFY_FAILED' },
      { name: '0a0a0a0a' },
    ]);
  });

  it('says what was asked, and finds a run by a word of it or of its files', async () => {
    const { task, patch, ...rest } = outcome('x', 'committed');
    const asked = { ...task, text: 'Repair the discount.\nIt is wrong.' };
    const delivered = { ...rest.delivered, pullRequestNumber: 12 };
    const files = [{ path: 'src/Price.js', change: 'modified', added: 1, removed: 1 }];
    const usage = { ...rest.usage, cost: 0.031 };
    const made = { ...rest, delivered, usage, task: asked, patch: { ...patch, files } };
    keep('20260104080000-bbbbbbbb', {
      'outcome.json': JSON.stringify({ ...made, durationMs: 40_000 }),
    });
    const row = /^bbbbbbbb .*Repair the discount\. It is wrong\. +committed +#12 +40 s +0\.0310$/;
    for (const word of ['DISCOUNT', 'price.js', 'bbbb'])
      expect((await list('--search', word)).out.trimEnd(), word).toMatch(row);
    expect((await list('--search', 'absent')).out).toContain('No kept run has "absent"');
    expect(JSON.parse((await list('--json', '--search', 'discount')).out)).toMatchObject([
      { task: asked.text, pullRequest: 12, cost: 0.031, durationMs: 40_000 },
    ]);
  });
});
