import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Running } from '../../../src/process/run-process.ts';
import { logCommands, openEgressLog } from '../../../src/sandbox/egress/log-commands.ts';
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

const row = (host: string, reason = '') => ({
  host,
  port: 443,
  reason,
  allowed: reason === '',
  connections: 1,
  bytesIn: 5,
  bytesOut: 3,
});

function open() {
  const lines: string[] = [];
  const scrub = (text: string) => text.replaceAll('secret', '***');
  return {
    lines,
    ...openEgressLog({ hosts: ['a.test'] }, { log: line => lines.push(line), scrub }),
  };
}

it('says what each command reached and what it was refused, without secrets', () => {
  const { lines, connected, use } = open();
  connected('verify', [row('a.test'), row('secret.test', 'not allowed')]);
  expect(lines).toEqual([
    'Network: verify: a.test:443, 1 connection, 5 bytes in, 3 bytes out.',
    'Network: verify: ***.test:443 refused, 1 connection: not allowed.',
  ]);
  expect(JSON.stringify(use())).not.toContain('secret');
});

it('adds up what the commands of a kind did', () => {
  const { connected, use } = open();
  connected('verify', [row('a.test')]);
  connected('verify', [row('a.test')]);
  connected('setup', [row('a.test')]);
  expect(use()).toEqual({
    hosts: ['a.test'],
    connections: [
      { caller: 'verify', ...row('a.test'), connections: 2, bytesIn: 10, bytesOut: 6 },
      { caller: 'setup', ...row('a.test') },
    ],
  });
});

it('logs twenty lines of a command, and counts the rest', () => {
  const { lines, connected } = open();
  connected(
    'setup',
    Array.from({ length: 23 }, (_, i) => row(`h${i}.test`)),
  );
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('Network: setup: 3 more destinations.');
});
