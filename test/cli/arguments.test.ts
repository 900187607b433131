import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discard } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { clone, folder, photon, repo } from './terminal-clone.ts';

describe('wrong input', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it.each([
    [['run', '--task', 'x', '--out', '/proc/photon'], 1, 'cannot be created'],
    [['rnu'], 2, 'Did you mean photon run?'],
  ])('%j ends at once with what to do', async (args, code, says) => {
    const all = args[0] === 'run' && !args.includes('--repo') ? [...args, '--repo', repo] : args;
    const run = await startPhoton({
      args: all,
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder },
      // a process of its own: a hang is part of what is tested
      started: () => {},
    });
    expect(run.err).toContain(says);
    expect(run.err).toMatch(/^(error|help): /m);
    expect(run.code).toBe(code);
  });

  it('photon doctor says what to do about each thing that is missing', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const none = await photon(['doctor', '--repo', empty]);
    expect(none.out).toMatch(/not a git repository\nhelp: .*git init/);
    expect(none.code).toBe(1);
  });
});
