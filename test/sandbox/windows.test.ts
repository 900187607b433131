/** What Photon promises on Windows, where no launcher keeps anything from a command. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../src/process/programs.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import type { SandboxMode } from '../../src/sandbox/sandbox.ts';
import { windowsOf } from '../doubles/windows.ts';
import { discard, makeFolder } from '../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

function open(mode: SandboxMode, hosts?: readonly string[]) {
  const [workspacePath, scratch] = ['checkout', 'scratch'].map(name => join(folder, name));
  for (const path of [workspacePath, scratch]) mkdirSync(path ?? '', { recursive: true });
  return openSandbox({
    mode,
    hosts,
    hosted: false,
    workspacePath: workspacePath ?? '',
    scratch: scratch ?? '',
    hidePaths: [],
    readPaths: [],
    extraEnv: [],
    env: { PATH: process.env.PATH, HOME: folder, GITHUB_TOKEN: 'secret', OTHER: 'x' },
    // those of this machine, which has a sandbox: none of them is tried
    programs: findPrograms(process.env.PATH ?? '', []),
    memoryBytes: undefined,
    processes: undefined,
    token: 'token',
    log: () => {},
    platform: windowsOf().platform,
  });
}

describe('on Windows', () => {
  it('sandbox: none runs commands plainly, and names every guarantee as missing', async () => {
    const sandbox = await open('none');
    expect(sandbox.launcher).toBe('plain');
    expect(sandbox.mounts).toBe(false);
    expect(sandbox.support.overlay).toBeUndefined();
    expect(sandbox.guarantees.map(g => g.name)).toContain('network');
    expect(sandbox.guarantees.filter(g => g.holds)).toEqual([]);
    await sandbox.close();
  });

  it('a list of hosts is no guarantee, either', async () => {
    const sandbox = await open('none', ['example.org']);
    expect(sandbox.guarantees).toContainEqual({ name: 'egress', holds: false });
    await sandbox.close();
  });

  it.each([
    ['required', expect.not.stringContaining('--sandbox none')],
    ['auto', expect.stringContaining('--sandbox none')],
  ] as const)('sandbox: %s stops the run, and says what to do', async (mode, hint) => {
    await expect(open(mode)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('This machine has no sandbox'),
      hint,
    });
  });
});
