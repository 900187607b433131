import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Running } from '../../../src/process/run-process.ts';
import { logCommands } from '../../../src/sandbox/egress/log-commands.ts';
import type { CommandEnd, CommandSpec, Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { CommandRecord } from '../../../src/workspace/session/command-record.ts';
import { discard, makeFolder } from '../../harness.ts';

let folder: string;
beforeEach(() => {
  folder = join(makeFolder(), 'view');
  mkdirSync(folder);
});
afterEach(() => discard(join(folder, '..')));

const ended: CommandEnd = {
  exitCode: 1,
  signal: undefined,
  limit: undefined,
  cancelled: false,
  began: true,
  output: `${'x'.repeat(5000)} hunter2`,
  outputBytes: 5008,
  outputLines: 1,
  truncated: false,
  durationMs: 12,
  refusedConnections: 0,
};

/** The record of a command in a view, whose sandbox writes a file and ends like this. */
async function recordOf(end: Partial<CommandEnd>, watched = true): Promise<CommandRecord> {
  const records: CommandRecord[] = [];
  const sandbox: Sandbox = {
    launcher: 'plain',
    mounts: false,
    guarantees: [],
    setUpNetwork: () => [],
    support: { overlay: undefined, home: '/h', caches: [], heldFolders: [] },
    run: async () => {
      writeFileSync(join(folder, 'hunter2.txt'), '');
      return { ...ended, ...end };
    },
    start: () => ({}) as Running,
    close: async () => {},
  };
  const spec: CommandSpec = {
    caller: 'verify',
    argv: ['sh', '-c', 'echo hunter2'],
    view: {
      path: folder,
      enter: [],
      folders: [],
      ...(watched ? { watched: [{ folder, shownAs: '', lower: [] }] } : {}),
    },
    cwd: 'src',
    network: true,
    timeoutMs: 1,
    maxOutputBytes: 1,
    signal: new AbortController().signal,
  };
  const scrub = (text: string) => text.replaceAll('hunter2', '***');
  const logged = logCommands(sandbox, { record: r => records.push(r), now: () => 7, scrub });
  await logged.run(spec);
  logged.start(spec);
  expect(records[1]).toMatchObject({ end: 'started', files: 'unknown', caller: 'verify' });
  expect(JSON.stringify(records)).not.toContain('hunter2');
  return records[0] ?? expect.fail('nothing was recorded');
}

it('records who ran what and where, how it ended and what it wrote, without secrets', async () => {
  const none = { count: 0, paths: [] };
  expect(await recordOf({})).toEqual({
    caller: 'verify',
    argv: ['sh', '-c', 'echo ***'],
    cwd: 'src',
    network: true,
    startedAt: 7,
    durationMs: 12,
    end: 'ended',
    exitCode: 1,
    signal: null,
    limit: null,
    outputBytes: 5008,
    outputTail: `${'x'.repeat(3996)} ***`,
    files: { written: { count: 1, paths: ['***.txt'] }, changed: none, deleted: none },
  });
});

it('keeps no output of a success, and says what it does not know', async () => {
  expect(await recordOf({ exitCode: 0 }, false)).toMatchObject({
    outputTail: '',
    files: 'unknown',
  });
});

it('tells the ways of ending apart', async () => {
  const limited = { exitCode: undefined, limit: 'memory' } as const;
  expect(await recordOf(limited)).toMatchObject({ end: 'limit', limit: 'memory' });
  expect((await recordOf({ exitCode: undefined, cancelled: true })).end).toBe('cancelled');
  expect((await recordOf({ exitCode: 125, began: false })).end).toBe('not_started');
});
