/** The tools that make lock files anew: found by name and text, and as the page lists them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLockTool, withCorepack } from '../../../src/ecosystems/commands/lock-tool.ts';
import { lockFile } from '../../../src/ecosystems/tests/path-classes.ts';
import { discard, makeFolder } from '../../harness.ts';
import { root } from '../../root.ts';

/** What a line has a program do that tells this version. */
function play(command: string, program: string, version: string): readonly string[] {
  const folder = makeFolder();
  try {
    const log = join(folder, 'log');
    const tell = `case "$*" in *--version) echo '${version}';; *) echo "$*, immutable $YARN_ENABLE_IMMUTABLE_INSTALLS" >>'${log}';; esac`;
    writeFileSync(join(folder, program), `#!/bin/sh\n${tell}\n`, { mode: 0o755 });
    writeFileSync(log, '');
    spawnSync('/bin/sh', ['-c', command], { env: { PATH: folder } });
    return readFileSync(log, 'utf8').split('\n').filter(Boolean);
  } finally {
    discard(folder);
  }
}

const page = readFileSync(join(root, 'docs', 'triggers.md'), 'utf8');
const rows = [...page.matchAll(/^\| (`[^|]+lock[^|]+|`go\.sum`) \| (.+) \|$/gm)].flatMap(
  ([, files = '', commands = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => ({ file, commands })),
);

describe('a lock file', () => {
  it.each(rows)('$file is made anew by the command of the page, in any folder', row => {
    const { file, commands } = row;
    const { command = '' } = findLockTool(`packages/one/${file}`, '') ?? {};
    // without the choice of a version
    const lines = command.split(/case ".*?" in|\*(?:\\ 1\.\*)?\)|;;|esac/).map(l => l.trim());
    expect(lines.join('')).not.toBe('');
    for (const line of lines.filter(Boolean)) expect(commands).toContain(`\`${line}\``);
    expect(lockFile.test(file)).toBe(true);
  });

  it('of Yarn is made by the Yarn that wrote it', () => {
    expect(findLockTool('yarn.lock', '# yarn lockfile v1\n')?.command).toContain(
      '--ignore-scripts',
    );
    expect(findLockTool('yarn.lock', '__metadata:\n  version: 8\n')?.command).toContain(
      '--mode=update-lockfile',
    );
  });

  it.each([
    ['yarn.lock', 'yarn', '1.22.22', []],
    ['yarn.lock', 'yarn', '4.9.1', ['install --mode=update-lockfile, immutable false']],
    ['poetry.lock', 'poetry', 'Poetry version 1.1.15', ['lock --no-update, immutable ']],
    ['poetry.lock', 'poetry', 'Poetry (version 1.8.5)', ['lock --no-update, immutable ']],
    ['poetry.lock', 'poetry', 'Poetry (version 2.1.1)', ['lock, immutable ']],
  ])('%s is made by %s as its version %s needs it', async (file, program, version, made) => {
    const { command = '' } = findLockTool(file, '__metadata:\n') ?? {};
    expect(play(command, program, version)).toEqual(made);
    const [has, lacks] = [() => true, (name: string) => name === 'corepack'];
    const manifest = JSON.stringify({ packageManager: `${program}@4.9.1` });
    const files = { read: async () => manifest };
    const through = async (hasProgram: (name: string) => boolean) =>
      await withCorepack(command, files, { hasProgram, exists: () => false });
    expect(await through(has)).toBe(command);
    if (program === 'yarn')
      expect(play(await through(lacks), 'corepack', version)).toEqual(
        made.map(line => `yarn ${line}`),
      );
  });

  it.each(['package.json', 'mix.lock', 'my-package-lock.json', 'go.sum.md'])(
    'is not %s, or no tool is known for it',
    path => expect(findLockTool(path, '')).toBeUndefined(),
  );
});
