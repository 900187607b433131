import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/ledger/ledger.ts';
import { renderSession } from '../../../src/report/terminal/session-text.ts';
import { backupFolder } from '../../../src/workspace/files/backups.ts';
import type { FileState } from '../../../src/workspace/files/change.ts';
import type { CommandRecord } from '../../../src/workspace/session/command-record.ts';
import type { SessionDelta } from '../../../src/workspace/session/session.ts';
import {
  openSessionStore,
  readStoredSession,
} from '../../../src/workspace/session/session-store.ts';
import { discard, makeFolder, root } from '../../harness.ts';

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
const textOf = (file: FileState | undefined) =>
  file === undefined ? undefined : `${file.mode} ${Buffer.from(file.bytes)}`;
const identity = { run: 'r', agent: 'photon', commit: 'c'.repeat(40), tree: 't'.repeat(40) };
const command: CommandRecord = {
  caller: 'run_command',
  argv: ['sh', '-c', 'make'],
  cwd: '.',
  network: false,
  startedAt: 5000,
  durationMs: 7,
  end: 'limit',
  exitCode: null,
  signal: 'SIGKILL',
  limit: 'time',
  outputBytes: 3,
  outputTail: 'out',
  files: 'unknown',
};
const operation: Operation = {
  phase: 'PATCH',
  tool: 'apply_patch',
  decision: 'pass',
  code: null,
  paths: ['a'],
  arguments: 'x',
  content: 'y',
  durationMs: 1,
};
const times = { startedAt: 1_700_000_000_000, endedAt: 1_700_000_002_500 };
const delta = (more: Partial<SessionDelta> = {}): SessionDelta => ({
  changed: [],
  steps: 0,
  backups: [],
  ...more,
});

describe('the store of a session', () => {
  it('contains the patch with its base, the calls, and the backups of the steps', () => {
    const store = openSessionStore(path, identity);
    const old = state('old');
    store.record(
      operation,
      delta({
        changed: [{ path: 'old.txt', before: old, after: state('new') }],
        steps: 1,
        backups: [{ step: 1, path: 'old.txt', before: old }],
      }),
      times,
    );
    store.record(
      operation,
      delta({
        changed: [
          { path: 'gone.txt', before: old, after: undefined },
          { path: 'x/new.txt', before: undefined, after: state('n') },
        ],
        steps: 2,
        backups: [
          { step: 2, path: 'gone.txt', before: old },
          { step: 2, path: 'x/new.txt', before: undefined },
        ],
      }),
      times,
    );
    store.record(
      {
        ...operation,
        tool: 'grep',
        decision: 'abstain',
        severity: 'correct',
        code: 'PLAN_MISSING',
        evidence: 'no plan',
      },
      delta({ steps: 2 }),
      times,
    );
    store.close();
    const stored = readStoredSession(path);
    expect(stored.identity).toEqual(identity);
    expect(stored.changes.map(c => [c.path, textOf(c.before), textOf(c.after)])).toEqual([
      ['gone.txt', '100644 old', undefined],
      ['old.txt', '100644 old', '100644 new'],
      ['x/new.txt', undefined, '100644 n'],
    ]);
    expect(stored.backups).toEqual([
      `${backupFolder}/0001/old.txt`,
      `${backupFolder}/0002/gone.txt`,
    ]);
    const patched = {
      caller: 'r/photon',
      tool: 'apply_patch',
      phase: 'PATCH',
      decision: 'pass',
      severity: '',
      code: undefined,
      error: '',
      paths: ['a'],
    };
    expect(stored.calls).toEqual([
      patched,
      patched,
      {
        ...patched,
        tool: 'grep',
        decision: 'abstain',
        severity: 'correct',
        code: 'PLAN_MISSING',
        error: 'PLAN_MISSING: no plan',
      },
    ]);
  });

  it('keeps the code of a verification that the patch did not pass', () => {
    const store = openSessionStore(path, identity);
    const states = { verification: { passed: false, code: 'VERIFY_FAILED' } };
    store.record({ ...operation, tool: 'verify', states }, delta({}), times);
    store.close();
    const stored = readStoredSession(path);
    expect(stored.calls).toMatchObject([{ decision: 'pass', code: 'VERIFY_FAILED' }]);
    expect(renderSession(stored)).toMatch(/ verify: VERIFY_FAILED \(a\)$/m);
  });

  it('keeps the error log of a failed call, and every command apart from the calls', () => {
    const store = openSessionStore(path, identity);
    store.recordCommand(command);
    const failed = { decision: 'degrade', code: 'TOOL_FAILED', evidence: 'it broke' } as const;
    store.record({ ...operation, ...failed }, delta({}), { ...times, errorLog: 'at line 7' });
    store.close();
    const stored = readStoredSession(path);
    expect(stored.calls.map(c => c.error)).toEqual(['TOOL_FAILED: it broke\nat line 7']);
    expect(stored.commands).toEqual([command]);
  });

  it('refuses a malformed command', () => {
    const store = openSessionStore(path, identity);
    store.recordCommand(command);
    store.record(operation, delta({}), times);
    store.close();
    const db = new DatabaseSync(path);
    const record = JSON.stringify({ ...command, end: 'exploded' });
    db.prepare('UPDATE photon_command SET record = ?').run(record);
    db.close();
    expect(() => readStoredSession(path)).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );
  });

  it('follows an undo: a file that equals the base again is no change, and its backup is removed', () => {
    const store = openSessionStore(path, identity);
    const old = state('old');
    store.record(
      operation,
      delta({
        changed: [{ path: 'old.txt', before: old, after: undefined }],
        steps: 1,
        backups: [{ step: 1, path: 'old.txt', before: old }],
      }),
      times,
    );
    store.record(
      operation,
      delta({ changed: [{ path: 'old.txt', before: old, after: old }] }),
      times,
    );
    store.close();
    expect(readStoredSession(path)).toMatchObject({ changes: [], backups: [] });
  });

  it('is complete after a kill at any moment', async () => {
    const files = [1, 2, 5, 9, 14, 20].map((wait, i) => ({ wait, file: join(folder, `s${i}.db`) }));
    // a writer that changes two files in each transaction and prints its progress
    const program = (file: string) => `
      import { openSessionStore } from ${JSON.stringify(join(root, 'src/workspace/session/session-store.ts'))};
      const store = openSessionStore(${JSON.stringify(file)}, { run: 'r', agent: 'photon', commit: 'c', tree: 't' });
      const state = text => ({ mode: '100644', bytes: Buffer.from(text) });
      for (let i = 1; ; i++) {
        const changed = ['a', 'b'].map(path => ({ path, before: undefined, after: state(String(i).repeat(3000)) }));
        const backups = ['a', 'b'].map(path => ({ step: 1, path, before: state(String(i)) }));
        store.record({ phase: 'PATCH', tool: 't', decision: 'pass', code: null, paths: [], arguments: '', content: '', durationMs: 0 }, { changed, steps: 1, backups }, { startedAt: i, endedAt: i });
        if (i === 1 || i % 20 === 0) console.log(i);
      }`;
    for (const { wait, file } of files) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program(file)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let seen = 0;
      await new Promise<void>(done => {
        child.stdout.on('data', () => {
          seen += 1;
          if (seen >= wait) child.kill('SIGKILL');
        });
        child.on('close', () => done());
      });
      const { changes, calls, backups } = readStoredSession(file);
      const [a, b] = changes.map(c => Buffer.from(c.after?.bytes ?? []).toString());
      expect(changes.map(c => c.path)).toEqual(['a', 'b']);
      expect(a).toBe(b);
      expect(a).toMatch(/^(\d+?)\1{2999}$/);
      expect(calls.length).toBeGreaterThan(0);
      expect(backups).toHaveLength(2);
    }
  });
});
