import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flag, parseArguments, value } from '../../src/cli/command.ts';
import { discard } from '../harness.ts';
import { clone, folder, photon, repo } from './terminal-clone.ts';

describe('wrong input', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it('a broken session is no question of disk space', async () => {
    const path = join(folder, 'session.db');
    const whole = Buffer.alloc(8192);
    whole.write('SQLite format 3\0', 'latin1');
    writeFileSync(path, whole);
    const run = await photon(['show', '--session', path]);
    expect(run.err).toContain('SESSION_INVALID');
    expect(run.err).not.toMatch(/DISK|space/);
  });

  it('photon skills new keeps the other skills', async () => {
    const { out } = await photon([
      'skills',
      'new',
      'release-notes',
      '--in',
      'here',
      '--repo',
      repo,
    ]);
    expect(out).toContain('{"skillRoots": ["photon:*","here/release-notes"]}');
  });

  it('options without a value can be turned on and off', () => {
    const options = { apply: flag(''), task: value('<text>', '') };
    expect(parseArguments(['--apply=true'], options).values).toMatchObject({ apply: true });
    expect(parseArguments(['--no-apply'], options).values).toMatchObject({ apply: false });
    expect(parseArguments(['--task=--x'], options).values).toMatchObject({ task: '--x' });
    expect(parseArguments(['--', '--x'], options).positionals).toEqual(['--x']);
    expect(() => parseArguments(['--apply=1'], options)).toThrow('does not take an argument');
  });
});
