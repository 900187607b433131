/** Keeps the session of a run on disk: each call writes its changes in one transaction. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../ledger/ledger.ts';
import { backupFolder } from '../files/backups.ts';
import { differs, type FileChange } from '../files/change.ts';
import { withNamedFile } from '../files/read-foreign.ts';
import { moveFile } from '../files/run-folder.ts';
import { AgentFs } from './agentfs.ts';
import {
  invalidSession,
  ownPath,
  pathsOf,
  type SessionIdentity,
  sessionIdentity,
  stateOf,
} from './foreign-session.ts';
import type { SessionDelta } from './session.ts';

/** Photon's additional columns, in separate tables as the specification requires. */
const ownSchema = `
CREATE TABLE IF NOT EXISTS photon_session (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS photon_base (path TEXT PRIMARY KEY, mode TEXT, data BLOB);
CREATE TABLE IF NOT EXISTS photon_call (
  call_id INTEGER PRIMARY KEY REFERENCES tool_calls(id), phase TEXT NOT NULL, decision TEXT NOT NULL,
  code TEXT, paths TEXT NOT NULL);
`;

export interface SessionStore {
  /**
   * Records what a call did. A kill at any moment leaves the state before or after the call.
   * @throws PhotonError `DISK`.
   */
  record(
    operation: Operation,
    delta: SessionDelta,
    times: { startedAt: number; endedAt: number },
  ): void;
  close(): void;
}

/** Opens a store whose file is created at the first call; base inodes are read from `checkout`. */
export function openSessionStore(
  path: string,
  identity: SessionIdentity,
  checkout: string,
): SessionStore {
  let fs: AgentFs | null = null;
  const open = () => {
    fs ??= create(path, identity);
    return fs;
  };
  return {
    record: (operation, delta, times) => {
      const store = open();
      store.transaction(() => {
        for (const change of delta.changed)
          writeChange(store, change, { checkout, now: times.endedAt });
        // steps change only together with files, and most calls change none
        if (delta.changed.length > 0) writeBackups(store, delta, times.endedAt);
        writeCall(store, operation, times);
      });
    },
    close: () => fs?.close(),
  };
}

/** Creates the file under a temporary name first, so that a kill never leaves an incomplete file. */
function create(path: string, identity: SessionIdentity): AgentFs {
  const early = `${path}.new`;
  const fs = new AgentFs(early);
  fs.transaction(() => {
    fs.exec(ownSchema);
    for (const [key, value] of Object.entries({ format: '1', ...identity }))
      fs.run('INSERT OR REPLACE INTO photon_session (key, value) VALUES (?, ?)', key, value);
  });
  fs.close();
  moveFile(early, path);
  return new AgentFs(path);
}

function writeChange(
  fs: AgentFs,
  change: FileChange,
  { checkout, now }: { checkout: string; now: number },
): void {
  const { path, before, after } = change;
  fs.run('DELETE FROM photon_base WHERE path = ?', path);
  if (!differs(change)) {
    fs.removeFile(path);
    fs.clearWhiteOut(path);
    return;
  }
  fs.run(
    'INSERT INTO photon_base (path, mode, data) VALUES (?, ?, ?)',
    path,
    before?.mode ?? null,
    before?.bytes ?? null,
  );
  if (after === null) {
    fs.removeFile(path);
    fs.whiteOut(path, now);
    return;
  }
  const ino = fs.writeFile(path, after, now);
  const base =
    before === null ? undefined : lstatSync(join(checkout, path), { throwIfNoEntry: false });
  if (base !== undefined) fs.setOrigin(ino, base.ino);
}

function writeBackups(fs: AgentFs, { backups, steps }: SessionDelta, now: number): void {
  for (const path of fs.paths().filter(p => p.startsWith(`${backupFolder}/`))) {
    const step = Number(path.slice(backupFolder.length + 1).split('/')[0]);
    if (step > steps) fs.removeFile(path);
  }
  for (const { step, path, before } of backups)
    if (before !== null)
      fs.writeFile(`${backupFolder}/${String(step).padStart(4, '0')}/${path}`, before, now);
}

function writeCall(
  fs: AgentFs,
  operation: Operation,
  times: { startedAt: number; endedAt: number },
): void {
  const { tool, decision, code, phase, paths, evidence } = operation;
  const refused = decision === 'pass' ? {} : { error: `${code}: ${evidence ?? ''}` };
  const id = fs.recordCall({
    name: tool,
    parameters: { sha256: operation.arguments },
    ...(decision === 'pass' ? { result: { sha256: operation.content } } : refused),
    ...times,
  });
  fs.run(
    'INSERT INTO photon_call (call_id, phase, decision, code, paths) VALUES (?, ?, ?, ?, ?)',
    id,
    phase,
    decision,
    code,
    JSON.stringify(paths),
  );
}

/** A call of a stored session. */
export interface StoredCall {
  readonly tool: string;
  readonly phase: string;
  readonly decision: string;
  readonly code: string | null;
  readonly paths: readonly string[];
}

/** A session as read from its file. */
export interface StoredSession {
  /** Empty strings when another AgentFS program wrote the file. */
  readonly identity: SessionIdentity;
  /** The patch: every path that differs from the base, sorted. */
  readonly changes: readonly FileChange[];
  readonly calls: readonly StoredCall[];
  readonly backups: readonly string[];
}

/**
 * Reads a session file.
 * @throws PhotonError `SESSION_INVALID`, `DISK`, `FILE_UNREADABLE`.
 */
export function readStoredSession(path: string): StoredSession {
  // SQLite would block on a pipe; for a missing file it reports the error itself
  withNamedFile(path, () => true);
  const fs = new AgentFs(path, 'read');
  try {
    const own = fs.hasTable('photon_session');
    const about = own ? fs.all('SELECT key, value FROM photon_session') : [];
    const value = (key: string) => String(about.find(r => r.key === key)?.value ?? '');
    const paths = fs.paths();
    return {
      identity: sessionIdentity(value),
      changes: changesOf(
        fs,
        paths.filter(p => !p.startsWith(`${backupFolder}/`)),
        own,
      ),
      calls: callsOf(fs, own),
      backups: paths.filter(p => p.startsWith(`${backupFolder}/`)),
    };
  } finally {
    fs.close();
  }
}

/** Maximum bytes of all files of a session that is read; one content can be linked many times. */
const maxSessionBytes = 512 * 1024 * 1024;

function changesOf(fs: AgentFs, written: readonly string[], own: boolean): readonly FileChange[] {
  const bases = new Map(
    (own ? fs.all('SELECT path, mode, data FROM photon_base') : []).map(r => [
      String(r.path),
      r.mode === null ? null : stateOf(r.mode, r.data),
    ]),
  );
  const paths = [...new Set([...written, ...fs.whiteOuts(), ...bases.keys()])].sort();
  let bytes = 0;
  return paths.map(path => {
    const after = fs.readFile(ownPath(path));
    bytes += after?.bytes.length ?? 0;
    if (bytes > maxSessionBytes) throw invalidSession('its files exceed 512 MB');
    return { path, before: bases.get(path) ?? null, after };
  });
}

function callsOf(fs: AgentFs, own: boolean): readonly StoredCall[] {
  const rows = own
    ? fs.all(
        'SELECT t.name, p.phase, p.decision, p.code, p.paths FROM tool_calls t LEFT JOIN photon_call p ON p.call_id = t.id ORDER BY t.id',
      )
    : fs.all('SELECT name FROM tool_calls ORDER BY id');
  return rows.map(r => ({
    tool: String(r.name),
    phase: String(r.phase ?? ''),
    decision: String(r.decision ?? ''),
    code: r.code == null ? null : String(r.code),
    paths: r.paths == null ? [] : pathsOf(String(r.paths)),
  }));
}
