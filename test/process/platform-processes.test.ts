/** What the platforms decide about real files and processes of this machine. */
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Platform } from '../../src/process/platform.ts';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { findPrograms } from '../../src/process/programs.ts';
import { runProcess } from '../../src/process/run-process.ts';
import { windowsOf } from '../doubles/windows.ts';
import { discard, makeFolder, root } from '../harness.ts';

const windows = windowsOf().platform;

it('the programs that Photon starts by itself on Windows are git.exe alone, and never one of the checkout', () => {
  const folder = realpathSync(makeFolder());
  try {
    const [tools = '', checkout = ''] = ['tools', 'checkout'].map(name => join(folder, name));
    for (const path of [tools, checkout]) {
      mkdirSync(path);
      for (const name of ['git', 'git.exe', 'sh.exe', 'git.cmd'])
        writeFileSync(join(path, name), '', { mode: 0o755 });
      chmodSync(path, 0o777); // says nothing there
    }
    const { ownProgramFiles, hasModes } = windows;
    const found = findPrograms(`${checkout}:${tools}`, [checkout], {
      ...posixPlatform,
      ...{ ownProgramFiles, hasModes, administration: [] },
    });
    expect(found.paths).toEqual({ git: join(tools, 'git.exe') });
  } finally {
    discard(folder);
  }
});

it('a program that has exited is not stopped any more, because another one may have its id', async () => {
  const calls: string[] = [];
  const platform: Platform = {
    ...posixPlatform,
    stop: () => calls.push('stop'),
    stopLeft: () => calls.push('left'),
  };
  const env = { PATH: process.env.PATH ?? '' };
  const end = await runProcess({
    // what it leaves holds its output open until after the time limit
    argv: ['sh', '-c', 'sleep 3 & exit 0'],
    ...{ cwd: root, env, platform, maxOutputBytes: 1000, timeoutMs: 1000 },
    signal: new AbortController().signal,
  });
  expect(end.limit).toBe('time');
  expect(calls).toContain('left');
  expect(calls).not.toContain('stop');
});
