import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  renderCommands,
  type ShownCommand,
  shownCommandLine,
} from '../../../src/cli/commands/session.ts';
import { fingerprint } from '../../harness.ts';
import { folder, photon, repo, runSample, useClone } from '../clone.ts';

useClone();

describe('photon session', () => {
  it('shows what a run did, and exports its patch without the repository', async () => {
    const before = fingerprint(repo);
    const run = await runSample();
    expect(fingerprint(repo)).toBe(before);
    const file = /^session: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
    const show = await photon(['session', 'show', file]);
    expect(show).toMatchObject({ code: 0, stderr: '' });
    expect(show.stdout).toContain('modified src/price.js  +1 -1');
    expect(show.stdout).toMatch(/PATCH +apply_patch: pass \(src\/price\.js\)/);
    const listed = await photon(['session', 'commands', file]);
    expect(listed.stdout).toMatch(/\/photon\/baseline: exit 1, \d+ ms\n {4}in \.: \S/);
    expect(listed.stdout).toMatch(/\/photon\/verify: exit 0, /);
    const json = await photon(['session', 'commands', file, '--json']);
    const own = (JSON.parse(json.stdout) as { caller: string }[]).filter(
      c => !/\/proof$/.test(c.caller),
    );
    expect(own).toMatchObject([
      { caller: expect.stringMatching(/\/photon\/baseline$/), exitCode: 1 },
      { caller: expect.stringMatching(/\/photon\/verify$/), exitCode: 0 },
    ]);
    const diff = await photon(['session', 'diff', file]);
    expect(diff.stdout).toBe(run.stdout);
    const exported = await photon(['session', 'export', file, '--out', join(folder, 'p.patch')]);
    expect(exported.code).toBe(0);
    execFileSync('git', ['-C', repo, 'apply', join(folder, 'p.patch')]);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toContain('discountPercent / 100');
    const again = await photon(['session', 'export', file, '--out', join(folder, 'p.patch')]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('DISK');
  });

  it('commits to a new branch, and changes no file, no index and no other branch', async () => {
    const run = await runSample();
    const file = /^session: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
    writeFileSync(join(repo, '.git/hooks/post-commit'), '#!/bin/sh\ntouch hooked\n', {
      mode: 0o755,
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
    const index = readFileSync(join(repo, '.git/index'));
    const files = git('status', '--porcelain', '--ignored');
    const commit = await photon([
      'session',
      'commit',
      file,
      '--repo',
      repo,
      '--branch',
      'photon/x',
    ]);
    expect(commit, commit.stderr).toMatchObject({ code: 0 });
    expect(git('diff', 'main', 'photon/x', '--full-index').trimEnd()).toBe(run.stdout.trimEnd());
    expect(git('rev-parse', 'photon/x^')).toBe(git('rev-parse', 'main'));
    expect(git('rev-parse', 'photon/x').trim()).toBe(/commit (\w{40})/.exec(commit.stdout)?.[1]);
    expect(git('status', '--porcelain', '--ignored')).toBe(files);
    expect(readFileSync(join(repo, '.git/index')).equals(index)).toBe(true);
    const taken = await photon(['session', 'commit', file, '--repo', repo, '--branch', 'photon/x']);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain('BRANCH_TAKEN');
    const name = await photon(['session', 'commit', file, '--repo', repo, '--branch', '-x..y']);
    expect(name.code).toBe(2);
    execFileSync('git', ['init', '-q', join(folder, 'other')]);
    const other = await photon(['session', 'commit', file, '--repo', join(folder, 'other')]);
    expect(other.stderr).toContain('SESSION_BASE_MISSING');
  });

  it('says what it needs, and what a file is not', async () => {
    const usage = { code: 2, stderr: expect.stringContaining('[USAGE]') };
    expect(await photon(['session'])).toMatchObject(usage);
    expect(await photon(['session', 'dance', 'x'])).toMatchObject(usage);
    writeFileSync(join(folder, 'x.db'), 'no database');
    const wrong = await photon(['session', 'show', join(folder, 'x.db')]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('SESSION_INVALID');
  });
});

describe('commands as a person would recognise them', () => {
  const none = { count: 0, paths: [] };
  const command: ShownCommand = {
    caller: 'run/photon/verify',
    argv: ['sh', '-c', 'npm test'],
    cwd: '.',
    network: false,
    startedAt: 0,
    durationMs: 12,
    end: 'exit 1',
    outputTail: '',
    files: { written: none, changed: none, deleted: none },
  };
  const driver = `/** A driver. */\n${'const x = 1;\n'.repeat(2000)}`;
  const reporter = `data:text/javascript;base64,${'QUJD'.repeat(5000)}`;

  describe('shownCommandLine', () => {
    it.each([
      [['sh', '-c', 'npm test'], 'npm test'],
      [['sh', '-c', 'cd a\n  npm test'], 'cd a; npm test'],
      [['npm', 'run', 'test it'], 'npm run "test it"'],
      [['node', '-e', driver], `node -e <text of ${driver.length} characters>`],
      [
        ['sh', '-c', `ulimit -t 3; node --test '--test-reporter=${reporter}' a.test.js`],
        `ulimit -t 3; node --test '--test-reporter=<data:text/javascript, ${reporter.length} characters>' a.test.js`,
      ],
      [['sh', '-c', 'data:a,b'], 'data:a,b'],
    ])('shows %.60j', (argv, shown) => expect(shownCommandLine(argv)).toBe(shown));

    it('ends a long line with the number of characters that it leaves out', () => {
      const shown = shownCommandLine(['sh', '-c', 'echo a '.repeat(1000)]);
      expect(shown).toMatch(/^echo a .*… \(6600 more characters\)$/);
    });
  });

  describe('renderCommands', () => {
    it('stays small, whatever ran', () => {
      const paths = Array.from({ length: 100 }, (_, i) => `build/${i}`);
      const text = renderCommands([
        {
          ...command,
          argv: ['node', '-e', driver],
          outputTail: 'line\n'.repeat(1000),
          files: { written: { count: 300, paths }, changed: none, deleted: none },
        },
      ]);
      expect(text).toContain(
        '    written: build/0, build/1, build/2, build/3, build/4 and 295 more\n',
      );
      expect(text.match(/line/g)).toHaveLength(10);
      expect(text.length).toBeLessThan(600);
    });

    it('names how many earlier commands it leaves out', () => {
      const text = renderCommands(Array.from({ length: 250 }, () => command));
      expect(text).toMatch(/^50 earlier commands: --json prints all\.\n1970-/);
      expect(text.match(/npm test/g)).toHaveLength(200);
    });

    it('says when none ran', () => expect(renderCommands([])).toBe('No command ran.\n'));
  });
});
