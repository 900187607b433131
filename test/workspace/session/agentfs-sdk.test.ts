import { join } from 'node:path';
import { AgentFS } from 'agentfs-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/workspace/files/change.ts';
import type { CommandRecord } from '../../../src/workspace/session/command-record.ts';
import { openSessionStore } from '../../../src/workspace/session/session-store.ts';
import { discard, makeFolder } from '../../harness.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'session.db');
});
afterEach(() => discard(folder));

const state = (text: string, mode: FileState['mode'] = '100644'): FileState => ({
  mode,
  bytes: Buffer.from(text),
});

describe("AgentFS's own SDK", () => {
  it('opens a session of Photon and sees the same files, calls and keys', async () => {
    const store = openSessionStore(path, { run: 'r', agent: 'photon', commit: 'c', tree: 't' });
    const changed = [
      { path: 'src/a.js', before: state('old'), after: state('x'.repeat(9000)) },
      { path: 'bin/run', before: undefined, after: state('#!', '100755') },
      { path: 'gone.txt', before: state('y'), after: undefined },
    ];
    store.record(
      {
        phase: 'PATCH',
        tool: 'apply_patch',
        decision: 'pass',
        code: null,
        paths: [],
        arguments: 'aa',
        content: 'bb',
        durationMs: 3,
      },
      { changed, steps: 1, backups: [{ step: 1, path: 'src/a.js', before: state('old') }] },
      { startedAt: 10_000, endedAt: 12_000 },
    );
    store.close();
    const agent = await AgentFS.open({ path });
    expect((await agent.fs.readdir('/')).sort()).toEqual(['.photon', 'bin', 'src']);
    expect(await agent.fs.readFile('/src/a.js', 'utf8')).toBe('x'.repeat(9000));
    expect((await agent.fs.stat('/bin/run')).mode & 0o777).toBe(0o755);
    expect(await agent.fs.readFile('/.photon/patches/backups/0001/src/a.js', 'utf8')).toBe('old');
    expect(await agent.tools.getByName('apply_patch')).toMatchObject([
      {
        parameters: { caller: 'r/photon', paths: [], sha256: 'aa' },
        result: { sha256: 'bb' },
        status: 'success',
        duration_ms: 2000,
      },
    ]);
    await agent.close();
  });

  it('sees every command: what ran, who started it, how it ended, and what it did to files', async () => {
    const store = openSessionStore(path, { run: 'r', agent: 'photon', commit: 'c', tree: 't' });
    const one = (...paths: string[]) => ({ count: paths.length, paths });
    const made: CommandRecord = {
      caller: 'verify',
      argv: ['sh', '-c', 'npm test'],
      cwd: '.',
      network: false,
      startedAt: 10_000,
      durationMs: 40,
      end: 'ended',
      exitCode: 1,
      signal: null,
      limit: null,
      outputBytes: 9,
      outputTail: 'one failed',
      files: { written: one('coverage.json'), changed: one(), deleted: one() },
    };
    store.recordCommand(made);
    const stopped = { end: 'limit', limit: 'time', exitCode: null, files: 'unknown' } as const;
    store.recordCommand({ ...made, ...stopped, caller: 'run_command' });
    store.close();
    const agent = await AgentFS.open({ path });
    const commands = await agent.tools.getByName('command');
    const asked = { argv: ['sh', '-c', 'npm test'], cwd: '.', network: false };
    expect(commands.toSorted((a, b) => a.id - b.id)).toMatchObject([
      {
        parameters: { ...asked, caller: 'r/photon/verify' },
        result: { end: 'exit 1', files: made.files },
        status: 'success',
      },
      {
        parameters: { ...asked, caller: 'r/photon/run_command' },
        error: 'stopped at its time limit\none failed',
        status: 'error',
      },
    ]);
    await agent.close();
  });
});
