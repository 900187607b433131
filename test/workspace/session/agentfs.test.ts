import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileState } from '../../../src/workspace/files/change.ts';
import { AgentFs } from '../../../src/workspace/session/agentfs.ts';
import { readStoredSession } from '../../../src/workspace/session/session-store.ts';
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
const textOf = (file: FileState | undefined) =>
  file === undefined ? undefined : `${file.mode} ${Buffer.from(file.bytes)}`;

const times = { startedAt: 1_700_000_000_000, endedAt: 1_700_000_002_500 };

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
    expect(fs.readFile('a')).toBeUndefined();
    expect(fs.readFile('a/x')).toBeUndefined();
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
    expect(all('SELECT * FROM kv_store')).toEqual([]);
    db.close();
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
