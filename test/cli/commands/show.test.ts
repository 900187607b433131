import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { show } from '../../../src/cli/commands/show.ts';
import { outcome } from '../../report/hostile.ts';
import { folder, photon, repo, runSample, useClone } from '../clone.ts';
import { carryOut } from '../recorded-terminal.ts';

useClone();

const id = '20260101080000-0a1b2c3d';
const patch = 'diff --git a/x b/x\n';
const place = (run = id) => join(repo, '.photon/runs', run);

beforeEach(() => {
  mkdirSync(place(), { recursive: true });
  writeFileSync(join(place(), 'outcome.json'), JSON.stringify(outcome('x')));
  writeFileSync(join(place(), 'patch.diff'), patch);
});

const shown = (...args: string[]) => carryOut(show, 'show', [...args, '--repo', repo]);

describe('a kept run', () => {
  it.each([[[]], [['last']], [['0a1b2c3d']], [[id]]])(
    'is found by %j: its ending, its files and its patch',
    async names => {
      const { out, code } = await shown(...names);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^run ${id} on `));
      expect(out).toContain('VERIFY_FAILED');
      expect(out).toContain('patch.diff');
      expect(out.endsWith(`\n${patch}`)).toBe(true);
    },
  );

  it('is shown as its patch alone, or as data', async () => {
    expect((await shown('--patch')).out).toBe(patch);
    expect(JSON.parse((await shown('--json')).out)).toMatchObject({ code: 'VERIFY_FAILED' });
  });

  it('without a readable outcome fails, and says where its files are', async () => {
    const broken = '20260102080000-bbbbbbbb';
    mkdirSync(place(broken));
    writeFileSync(join(place(broken), 'outcome.json'), '{"schema": 2}');
    const { out, code } = await shown();
    expect(out).toBe(`run ${broken} has no readable outcome. Its files are in ${place(broken)}.\n`);
    expect(code).toBe(1);
  });

  it('that is not there has a code', async () => {
    await expect(shown('cccccccc')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});

describe('photon show --session', () => {
  it('shows what a run did, from its session file alone', async () => {
    const run = await runSample();
    const file = /^session: +(.*)$/m.exec(run.err)?.[1] ?? expect.fail(run.err);
    const { out, err, code } = await photon(['show', '--session', file]);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain('modified src/price.js  +1 -1');
    expect(out).toMatch(/PATCH +apply_patch: pass \(src\/price\.js\)/);
    expect(out).toMatch(/\/photon\/baseline: exit 1, \d+ ms\n {4}in \.: \S/);
    expect(out).toMatch(/\/photon\/verify: exit 0, /);
    const json = await photon(['show', '--session', file, '--json']);
    const commands = JSON.parse(json.out) as { caller: string }[];
    expect(commands.filter(c => !/\/proof$/.test(c.caller))).toMatchObject([
      { caller: expect.stringMatching(/\/photon\/baseline$/), exitCode: 1 },
      { caller: expect.stringMatching(/\/photon\/verify$/), exitCode: 0 },
    ]);
    expect((await photon(['show', '--session', file, '--patch'])).out).toBe(run.out);
  });

  it('of a kept run without a session, and of another file, says so', async () => {
    const refusal = expect.objectContaining({ code: 'SESSION_INVALID' });
    await expect(shown('--session')).rejects.toThrow(refusal);
    writeFileSync(join(folder, 'x.db'), 'no database');
    await expect(shown('--session', join(folder, 'x.db'))).rejects.toThrow(refusal);
  });
});
