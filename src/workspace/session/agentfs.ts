/** A SQLite file in the AgentFS format (specification 0.4): files, whiteouts, tool calls, keys. */
import type { FileMode, FileState } from '../files/change.ts';
import { SqliteFile } from '../stores/sqlite.ts';
import { invalidSession, readBytes, requirePlainTables } from './foreign-session.ts';

const chunkSize = 4096;
const folderMode = 0o040755;
const rootIno = 1;
/** Maximum depth of folders in a file that is read. */
const maxDepth = 200;

/** A recorded tool call; parameters and result are JSON values. */
interface RecordedCall {
  readonly name: string;
  readonly parameters: unknown;
  readonly result?: unknown;
  readonly error?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A file system and a log of calls in one SQLite file, with the empty table of keys that the format has; open until `close`. */
export class AgentFs extends SqliteFile {
  /**
   * Opens or creates a file.
   * @throws PhotonError `DISK` when it cannot be written, `SESSION_INVALID` when it has another format.
   */
  constructor(path: string, mode: 'write' | 'read' = 'write') {
    super(path, mode);
    if (mode === 'write') this.transaction(() => this.#initialise());
    else {
      requirePlainTables(this);
      this.get("SELECT value FROM fs_config WHERE key = 'chunk_size'");
    }
  }

  /** Writes a file or link and the folders on its path, and removes a whiteout of the path. */
  writeFile(path: string, state: FileState, now: number): void {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    const parent = parts.reduce((ino, part) => this.#folder(ino, part, now), rootIno);
    const old = this.#lookup(parent, name);
    const ino = old ?? this.#inode(modeBits(state.mode), now);
    if (old === undefined) this.#link(parent, name, ino);
    const second = Math.floor(now / 1000);
    this.run('DELETE FROM fs_data WHERE ino = ?', ino);
    this.run('DELETE FROM fs_symlink WHERE ino = ?', ino);
    this.run(
      'UPDATE fs_inode SET mode = ?, size = ?, mtime = ?, ctime = ? WHERE ino = ?',
      modeBits(state.mode),
      state.bytes.length,
      second,
      second,
      ino,
    );
    if (state.mode === '120000')
      this.run(
        'INSERT INTO fs_symlink (ino, target) VALUES (?, ?)',
        ino,
        Buffer.from(state.bytes).toString('utf8'),
      );
    else
      for (let i = 0; i * chunkSize < state.bytes.length; i++)
        this.run(
          'INSERT INTO fs_data (ino, chunk_index, data) VALUES (?, ?, ?)',
          ino,
          i,
          state.bytes.subarray(i * chunkSize, (i + 1) * chunkSize),
        );
    this.run('DELETE FROM fs_whiteout WHERE path = ?', `/${path}`);
  }

  /** Removes a file from the delta, with the folders that become empty. */
  removeFile(path: string): void {
    const trail = this.#trail(path);
    if (trail === undefined) return;
    for (const [i, { parent, name, ino }] of [...trail].reverse().entries()) {
      if (i > 0 && this.all('SELECT 1 FROM fs_dentry WHERE parent_ino = ? LIMIT 1', ino).length > 0)
        return;
      this.run('DELETE FROM fs_dentry WHERE parent_ino = ? AND name = ?', parent, name);
      for (const table of ['fs_inode', 'fs_data', 'fs_symlink'])
        this.run(`DELETE FROM ${table} WHERE ino = ?`, ino);
    }
  }

  /** Marks a file of the base as deleted. */
  whiteOut(path: string, now: number): void {
    const at = `/${path}`;
    const parent = at.slice(0, at.lastIndexOf('/')) || '/';
    this.run(
      'INSERT INTO fs_whiteout (path, parent_path, created_at) VALUES (?, ?, ?) ON CONFLICT(path) DO UPDATE SET created_at = excluded.created_at',
      at,
      parent,
      Math.floor(now / 1000),
    );
  }

  clearWhiteOut(path: string): void {
    this.run('DELETE FROM fs_whiteout WHERE path = ?', `/${path}`);
  }

  /** Paths of the base that are marked as deleted. */
  whiteOuts(): readonly string[] {
    return this.all('SELECT path FROM fs_whiteout ORDER BY path').map(r => String(r.path).slice(1));
  }

  /** A file or link of the delta; undefined when it does not exist. */
  readFile(path: string): FileState | undefined {
    const ino = this.#trail(path)?.at(-1)?.ino;
    const bits =
      ino === undefined
        ? undefined
        : this.get('SELECT mode FROM fs_inode WHERE ino = ?', ino)?.mode;
    if (ino === undefined || bits === undefined) return undefined;
    const mode = toFileMode(Number(bits));
    if (mode === undefined) return undefined;
    if (mode === '120000') {
      const target = this.get('SELECT target FROM fs_symlink WHERE ino = ?', ino)?.target;
      return { mode, bytes: Buffer.from(String(target ?? '')) };
    }
    const chunks = this.all('SELECT data FROM fs_data WHERE ino = ? ORDER BY chunk_index', ino);
    return { mode, bytes: Buffer.concat(chunks.map(c => readBytes(c.data))) };
  }

  /**
   * Every file and link of the delta, by path.
   * @throws PhotonError `SESSION_INVALID` for a folder that contains itself, has two parents, or is too deep.
   */
  paths(): readonly string[] {
    const found: string[] = [];
    const seen = new Set<number>();
    const visit = (ino: number, above: string) => {
      if (seen.has(ino) || above.split('/').length > maxDepth)
        throw invalidSession(`the folder ${above} has two parents or is too deep`);
      seen.add(ino);
      for (const row of this.all(
        'SELECT d.name, d.ino, i.mode FROM fs_dentry d JOIN fs_inode i USING (ino) WHERE d.parent_ino = ? ORDER BY d.name',
        ino,
      )) {
        const name = String(row.name);
        if (name.includes('/')) throw invalidSession(`${name} is not a valid file name`);
        const path = above === '' ? name : `${above}/${name}`;
        if (toFileMode(Number(row.mode)) === undefined) visit(Number(row.ino), path);
        else found.push(path);
      }
    };
    visit(rootIno, '');
    return found.sort();
  }

  /** Appends a call to the log. Returns its id. */
  recordCall(call: RecordedCall): number {
    const started = Math.floor(call.startedAt / 1000);
    const ended = Math.floor(call.endedAt / 1000);
    const row = this.get(
      'INSERT INTO tool_calls (name, parameters, result, error, status, started_at, completed_at, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
      call.name,
      JSON.stringify(call.parameters),
      call.error === undefined ? JSON.stringify(call.result ?? null) : null,
      call.error ?? null,
      call.error === undefined ? 'success' : 'error',
      started,
      ended,
      (ended - started) * 1000,
    );
    return Number(row?.id);
  }

  #initialise(): void {
    this.exec(schema);
    this.run(
      "INSERT OR IGNORE INTO fs_config (key, value) VALUES ('chunk_size', ?)",
      String(chunkSize),
    );
    this.run("INSERT OR REPLACE INTO fs_config (key, value) VALUES ('schema_version', '0.4')");
    this.run(
      'INSERT OR IGNORE INTO fs_inode (ino, mode, nlink, atime, mtime, ctime) VALUES (?, ?, 1, unixepoch(), unixepoch(), unixepoch())',
      rootIno,
      folderMode,
    );
  }

  #lookup(parent: number, name: string): number | undefined {
    const ino = this.get(
      'SELECT ino FROM fs_dentry WHERE parent_ino = ? AND name = ?',
      parent,
      name,
    )?.ino;
    return ino === undefined ? undefined : Number(ino);
  }

  #inode(mode: number, now: number): number {
    const second = Math.floor(now / 1000);
    return Number(
      this.get(
        'INSERT INTO fs_inode (mode, atime, mtime, ctime) VALUES (?, ?, ?, ?) RETURNING ino',
        mode,
        second,
        second,
        second,
      )?.ino,
    );
  }

  #link(parent: number, name: string, ino: number): void {
    this.run('INSERT INTO fs_dentry (name, parent_ino, ino) VALUES (?, ?, ?)', name, parent, ino);
    this.run('UPDATE fs_inode SET nlink = nlink + 1 WHERE ino = ?', ino);
  }

  #folder(parent: number, name: string, now: number): number {
    const known = this.#lookup(parent, name);
    if (known !== undefined) return known;
    const ino = this.#inode(folderMode, now);
    this.#link(parent, name, ino);
    return ino;
  }

  /** The entries from the root to a path; undefined when one is missing. */
  #trail(path: string): readonly { parent: number; name: string; ino: number }[] | undefined {
    const trail: { parent: number; name: string; ino: number }[] = [];
    for (const name of path.split('/')) {
      const parent = trail.at(-1)?.ino ?? rootIno;
      const ino = this.#lookup(parent, name);
      if (ino === undefined) return undefined;
      trail.push({ parent, name, ino });
    }
    return trail;
  }
}

function modeBits(mode: FileMode): number {
  return Number.parseInt(mode, 8);
}

/** The git mode of an inode; undefined for a folder. Any execute permission means executable. */
function toFileMode(bits: number): FileMode | undefined {
  const kind = bits & 0o170000;
  if (kind === 0o120000) return '120000';
  if (kind !== 0o100000) return undefined;
  return (bits & 0o111) === 0 ? '100644' : '100755';
}

/** The schema of the specification and its SDK; Photon stores its additional columns in separate tables. */
const schema = `
CREATE TABLE IF NOT EXISTS fs_config (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fs_inode (
  ino INTEGER PRIMARY KEY AUTOINCREMENT, mode INTEGER NOT NULL, nlink INTEGER NOT NULL DEFAULT 0,
  uid INTEGER NOT NULL DEFAULT 0, gid INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0,
  atime INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL,
  rdev INTEGER NOT NULL DEFAULT 0, atime_nsec INTEGER NOT NULL DEFAULT 0,
  mtime_nsec INTEGER NOT NULL DEFAULT 0, ctime_nsec INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS fs_dentry (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, parent_ino INTEGER NOT NULL,
  ino INTEGER NOT NULL, UNIQUE(parent_ino, name));
CREATE INDEX IF NOT EXISTS idx_fs_dentry_parent ON fs_dentry(parent_ino, name);
CREATE TABLE IF NOT EXISTS fs_data (
  ino INTEGER NOT NULL, chunk_index INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (ino, chunk_index));
CREATE TABLE IF NOT EXISTS fs_symlink (ino INTEGER PRIMARY KEY, target TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fs_whiteout (path TEXT PRIMARY KEY, parent_path TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS idx_fs_whiteout_parent ON fs_whiteout(parent_path);
CREATE TABLE IF NOT EXISTS fs_origin (delta_ino INTEGER PRIMARY KEY, base_ino INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS tool_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, parameters TEXT, result TEXT, error TEXT,
  status TEXT NOT NULL DEFAULT 'pending', started_at INTEGER NOT NULL, completed_at INTEGER,
  duration_ms INTEGER);
CREATE INDEX IF NOT EXISTS idx_tool_calls_name ON tool_calls(name);
CREATE INDEX IF NOT EXISTS idx_tool_calls_started_at ON tool_calls(started_at);
CREATE TABLE IF NOT EXISTS kv_store (
  key TEXT PRIMARY KEY, value TEXT NOT NULL,
  created_at INTEGER DEFAULT (unixepoch()), updated_at INTEGER DEFAULT (unixepoch()));
CREATE INDEX IF NOT EXISTS idx_kv_store_created_at ON kv_store(created_at);
`;
