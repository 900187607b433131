import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/ledger/ledger.ts';
import { backupFolder } from '../../src/workspace/files/backups.ts';
import type { FileState } from '../../src/workspace/files/change.ts';
import { AgentFs } from '../../src/workspace/session/agentfs.ts';
import type { CommandRecord } from '../../src/workspace/session/command-record.ts';
import type { SessionDelta } from '../../src/workspace/session/session.ts';
import { openSessionStore, readStoredSession } from '../../src/workspace/session/session-store.ts';
import { discard, makeFolder, root } from '../harness.ts';

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
const textOf = (file: FileState | null) =>
  file === null ? null : `${file.mode} ${Buffer.from(file.bytes)}`;
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

describe('a file of the AgentFS format', () => {
  it('stores files, links and folders of any size and returns them', () => {
    const fs = new AgentFs(path);
    const big = Buffer.alloc(10_000, 'abc');
    fs.transaction(() => {
      fs.writeFile('a/b/c.txt', state('hello'), 0);
      fs.writeFile('a/run.sh', state('#!', '100755'), 0);
      fs.writeFile('link', state('a/b', '120000'), 0);
      fs.writeFile('empty', state(''), 0);
      fs.writeFile('big', { mode: '100644', bytes: big }, 0);
    });
    expect(fs.paths()).toEqual(['a/b/c.txt', 'a/run.sh', 'big', 'empty', 'link']);
    expect(textOf(fs.readFile('a/b/c.txt'))).toBe('100644 hello');
    expect(textOf(fs.readFile('a/run.sh'))).toBe('100755 #!');
    expect(textOf(fs.readFile('link'))).toBe('120000 a/b');
    expect(textOf(fs.readFile('empty'))).toBe('100644 ');
    expect(Buffer.from(fs.readFile('big')?.bytes ?? []).equals(big)).toBe(true);
    expect(fs.readFile('a')).toBeNull();
    expect(fs.readFile('a/x')).toBeNull();
    fs.removeFile('a/b/c.txt');
    expect(fs.paths()).toEqual(['a/run.sh', 'big', 'empty', 'link']);
    fs.writeFile('big', state('small'), 0);
    fs.writeFile('link', state('now a file'), 0);
    expect(textOf(fs.readFile('big'))).toBe('100644 small');
    expect(textOf(fs.readFile('link'))).toBe('100644 now a file');
    fs.close();
  });

  it('follows the rules of the specification', () => {
    const fs = new AgentFs(path);
    fs.writeFile('a/b', { mode: '100644', bytes: Buffer.alloc(9000) }, 5_000);
    fs.writeFile('a/c', state('x'), 5_000);
    fs.removeFile('a/c');
    fs.whiteOut('d/e', 7_000);
    fs.setKey('k', { v: [1] });
    fs.recordCall({ name: 'grep', parameters: { p: 1 }, result: 'ok', ...times });
    fs.recordCall({ name: 'grep', parameters: {}, error: 'no', ...times });
    fs.close();
    const db = new DatabaseSync(path);
    const all = (sql: string) => db.prepare(sql).all();
    expect(all("SELECT value FROM fs_config WHERE key = 'chunk_size'")).toEqual([
      { value: '4096' },
    ]);
    expect(all("SELECT value FROM fs_config WHERE key = 'schema_version'")).toEqual([
      { value: '0.4' },
    ]);
    expect(all('SELECT mode, nlink FROM fs_inode WHERE ino = 1')).toEqual([
      { mode: 0o040755, nlink: 1 },
    ]);
    expect(all('SELECT length(data) AS n FROM fs_data ORDER BY chunk_index').map(r => r.n)).toEqual(
      [4096, 4096, 808],
    );
    expect(all('SELECT size FROM fs_inode WHERE mode = 33188')).toEqual([{ size: 9000 }]);
    // no entry without an inode, no inode but the root without an entry
    expect(
      all(
        'SELECT * FROM fs_dentry WHERE ino NOT IN (SELECT ino FROM fs_inode) OR parent_ino NOT IN (SELECT ino FROM fs_inode)',
      ),
    ).toEqual([]);
    expect(
      all('SELECT ino FROM fs_inode WHERE ino <> 1 AND ino NOT IN (SELECT ino FROM fs_dentry)'),
    ).toEqual([]);
    expect(all('SELECT * FROM fs_whiteout')).toEqual([
      { path: '/d/e', parent_path: '/d', created_at: 7 },
    ]);
    expect(
      all(
        'SELECT name, parameters, result, error, status, started_at, completed_at, duration_ms FROM tool_calls',
      ),
    ).toEqual([
      {
        name: 'grep',
        parameters: '{"p":1}',
        result: '"ok"',
        error: null,
        status: 'success',
        started_at: 1_700_000_000,
        completed_at: 1_700_000_002,
        duration_ms: 2000,
      },
      {
        name: 'grep',
        parameters: '{}',
        result: null,
        error: 'no',
        status: 'error',
        started_at: 1_700_000_000,
        completed_at: 1_700_000_002,
        duration_ms: 2000,
      },
    ]);
    expect(all('SELECT key, value FROM kv_store')).toEqual([{ key: 'k', value: '{"v":[1]}' }]);
    db.close();
    const again = new AgentFs(path, 'read');
    expect(again.key('k')).toEqual({ v: [1] });
    expect(again.key('none')).toBeUndefined();
    again.close();
  });

  it('behaves like a map of paths for any writes and removals', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const at = fc.array(name, { minLength: 1, maxLength: 3 }).map(p =>
      p
        .map((n, i) => `${n}${i}`)
        .concat('f')
        .join('/'),
    );
    let made = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(at, fc.option(fc.string())), { maxLength: 12 }), steps => {
        made += 1;
        discard(path);
        const fs = new AgentFs(`${path}-${made}`);
        const map = new Map<string, string>();
        for (const [p, text] of steps) {
          if (text === null) {
            fs.removeFile(p);
            map.delete(p);
          } else {
            fs.writeFile(p, state(text), 0);
            map.set(p, text);
          }
        }
        expect(fs.paths()).toEqual([...map.keys()].sort());
        for (const [p, text] of map) expect(textOf(fs.readFile(p))).toBe(`100644 ${text}`);
        fs.close();
      }),
      { numRuns: 30 },
    );
  });

  it('reports a file of another format', () => {
    writeFileSync(path, 'not a database, but quite long enough to be looked at as one');
    expect(() => readStoredSession(path)).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );
    expect(() => readStoredSession(join(folder, 'none.db'))).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );
    expect(() => new AgentFs(join(folder, 'no', 'where.db'))).toThrow(
      expect.objectContaining({ code: 'DISK' }),
    );
  });
});

describe('the store of a session', () => {
  const checkout = () => {
    mkdirSync(join(folder, 'checkout'), { recursive: true });
    writeFileSync(join(folder, 'checkout', 'old.txt'), 'old');
    return join(folder, 'checkout');
  };

  it('contains the patch with its base, the calls, and the backups of the steps', () => {
    const store = openSessionStore(path, identity, checkout());
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
          { path: 'gone.txt', before: old, after: null },
          { path: 'x/new.txt', before: null, after: state('n') },
        ],
        steps: 2,
        backups: [
          { step: 2, path: 'gone.txt', before: old },
          { step: 2, path: 'x/new.txt', before: null },
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
      ['gone.txt', '100644 old', null],
      ['old.txt', '100644 old', '100644 new'],
      ['x/new.txt', null, '100644 n'],
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
      code: null,
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
    const db = new DatabaseSync(path);
    expect(db.prepare('SELECT count(*) AS n FROM fs_origin').get()).toEqual({ n: 1 });
    db.close();
  });

  it('keeps the error log of a failed call, and every command apart from the calls', () => {
    const store = openSessionStore(path, identity, checkout());
    store.recordCommand(command);
    const failed = { decision: 'degrade', code: 'TOOL_FAILED', evidence: 'it broke' } as const;
    store.record({ ...operation, ...failed }, delta({}), { ...times, errorLog: 'at line 7' });
    store.close();
    const stored = readStoredSession(path);
    expect(stored.calls.map(c => c.error)).toEqual(['TOOL_FAILED: it broke\nat line 7']);
    expect(stored.commands).toEqual([command]);
  });

  it('reads a file of an earlier version, and refuses a malformed command', () => {
    const store = openSessionStore(path, identity, checkout());
    store.recordCommand(command);
    store.record(operation, delta({}), times);
    store.close();
    const db = new DatabaseSync(path);
    const record = JSON.stringify({ ...command, end: 'exploded' });
    db.prepare('UPDATE photon_command SET record = ?').run(record);
    expect(() => readStoredSession(path)).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );
    db.exec('DROP TABLE photon_command');
    for (const column of ['caller', 'severity'])
      db.exec(`ALTER TABLE photon_call DROP COLUMN ${column}`);
    db.close();
    const stored = readStoredSession(path);
    expect(stored.commands).toEqual([]);
    expect(stored.calls).toMatchObject([{ tool: 'apply_patch', caller: '', severity: '' }]);
  });

  it('follows an undo: a file that equals the base again is no change, and its backup is removed', () => {
    const store = openSessionStore(path, identity, checkout());
    const old = state('old');
    store.record(
      operation,
      delta({
        changed: [{ path: 'old.txt', before: old, after: null }],
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
      const store = openSessionStore(${JSON.stringify(file)}, { run: 'r', agent: 'photon', commit: 'c', tree: 't' }, '/nowhere');
      const state = text => ({ mode: '100644', bytes: Buffer.from(text) });
      for (let i = 1; ; i++) {
        const changed = ['a', 'b'].map(path => ({ path, before: null, after: state(String(i).repeat(3000)) }));
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
  }, 60_000);
});
