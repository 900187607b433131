/** The tools that make lock files anew: found by name and text. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLockTool, withCorepack } from '../../../src/ecosystems/commands/lock-tool.ts';
import { lockFile } from '../../../src/guard/paths.ts';
import { discard, makeFolder } from '../../harness.ts';

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

describe('a lock file', () => {
  it.each([
    ['package-lock.json', 'npm'],
    ['npm-shrinkwrap.json', 'npm'],
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
  ])('%s is made anew by %s, in any folder', (file, program) => {
    expect(findLockTool(`packages/one/${file}`, '')?.command).toContain(`${program} install`);
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
    ['1.22.22', []],
    ['4.9.1', ['install --mode=update-lockfile, immutable false']],
  ])('of Yarn is made as its version %s needs it', async (version, made) => {
    const { command = '' } = findLockTool('yarn.lock', '__metadata:\n') ?? {};
    expect(play(command, 'yarn', version)).toEqual(made);
    const files = { read: async () => JSON.stringify({ packageManager: 'yarn@4.9.1' }) };
    const through = (hasProgram: (name: string) => boolean) =>
      withCorepack(command, files, { hasProgram, exists: () => false });
    expect(await through(() => true)).toBe(command);
    const byCorepack = await through(name => name === 'corepack');
    expect(play(byCorepack, 'corepack', version)).toEqual(made.map(line => `yarn ${line}`));
  });

  it.each(['package.json', 'Cargo.lock', 'go.sum', 'my-package-lock.json'])(
    'is not %s, or no tool is known for it',
    path => expect(findLockTool(path, '')).toBeUndefined(),
  );
});
