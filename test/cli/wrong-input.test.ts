import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flag, parseArguments, value } from '../../src/cli/command.ts';
import { folder, photon, repo, useClone } from './clone.ts';

describe('wrong input', () => {
  useClone();

  it('a broken session is no question of disk space', async () => {
    const path = join(folder, 'session.db');
    const whole = Buffer.alloc(8192);
    whole.write('SQLite format 3\0', 'latin1');
    writeFileSync(path, whole);
    const run = await photon(['show', '--session', path]);
    expect(run.err).toContain('SESSION_INVALID');
    expect(run.err).not.toMatch(/DISK|space/);
  });

  it.each([
    [
      'a value that is no number',
      ['run', 'fix', 'it', '--max-rounds', 'abc'],
      /\[SETTING_INVALID\]/,
    ],
    [
      'a value that begins with a dash',
      ['run', 'fix', '--max-rounds', '-1'],
      /^error: A value of --max-rounds that begins with a dash is written --max-rounds=VALUE\. \[USAGE\]\n/,
    ],
    [
      'a question without a model',
      ['ask', 'what is this?'],
      /A question needs a model, and none is set\. \[MODEL_MISSING\]/,
    ],
  ])('%s makes no run', async (_name, args, says) => {
    const { err, code } = await photon([...args, '--repo', repo]);
    expect(err).toMatch(says);
    expect(code).toBe(/\[(?:USAGE|SETTING_INVALID)\]/.test(err) ? 2 : 1);
    expect(existsSync(join(repo, '.photon', 'runs'))).toBe(false);
  });

  it('photon doctor says what to do where no repository is', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const none = await photon(['doctor', '--repo', empty]);
    expect(none.out).toMatch(/not a git repository\nhelp: .*git init/);
    expect(none.code).toBe(1);
  });

  it('a file that is no ledger is named as such', async () => {
    const { err, code } = await photon(['audit', join(repo, 'package.json')]);
    expect(err).toMatch(/package\.json is not the ledger of a run\. \[LEDGER_UNREADABLE\]/);
    expect(code).toBe(1);
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

  it('options without a value can be turned off', () => {
    const options = { apply: flag(''), task: value('<text>', '') };
    expect(parseArguments(['--no-apply'], options).values).toMatchObject({ apply: false });
    expect(parseArguments(['--task=--x'], options).values).toMatchObject({ task: '--x' });
    expect(parseArguments(['--', '--x'], options).positionals).toEqual(['--x']);
    expect(() => parseArguments(['--apply=1'], options)).toThrow('does not take an argument');
  });
});
