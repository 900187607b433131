/** Keeps the session of a run on disk: each call writes its changes in one transaction. */
import { PhotonError } from '../../base/codes.ts';
import { findCode, type Operation } from '../../ledger/ledger.ts';
import { backupFolder } from '../files/backups.ts';
import { differs, type FileChange } from '../files/change.ts';
import { withNamedFile } from '../files/read-foreign.ts';
import { moveFile } from '../files/run-folder.ts';
import { AgentFs } from './agentfs.ts';
import { type CommandRecord, describeEnd, parseCommandRecord } from './command-record.ts';
import {
  invalidSession,
  ownPath,
  parsePaths,
  readFileState,
  type SessionIdentity,
  sessionIdentity,
} from './foreign-session.ts';
import type { SessionDelta } from './session.ts';

/** Photon's additional columns, in separate tables as the specification requires. */
const ownSchema = `
CREATE TABLE IF NOT EXISTS photon_session (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS photon_base (path TEXT PRIMARY KEY, mode TEXT, data BLOB);
CREATE TABLE IF NOT EXISTS photon_call (
  call_id INTEGER PRIMARY KEY REFERENCES tool_calls(id), caller TEXT NOT NULL, phase TEXT NOT NULL,
  decision TEXT NOT NULL, severity TEXT, code TEXT, paths TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS photon_command (
  call_id INTEGER PRIMARY KEY REFERENCES tool_calls(id), caller TEXT NOT NULL, record TEXT NOT NULL);
`;

/** When a call ran, in milliseconds since the epoch, and the error log if it failed. */
interface CallTimes {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The end of what a failed call printed, without secrets. */
  readonly errorLog?: string;
}

export interface SessionStore {
  /**
   * Records what a call did. A kill at any moment leaves the state before or after the call.
   * @throws PhotonError `DISK`.
   */
  record(operation: Operation, delta: SessionDelta, about: CallTimes): void;
  /** Keeps changes that no call made; `now` is in milliseconds since the epoch. @throws PhotonError `DISK`. */
  keep(delta: SessionDelta, now: number): void;
  /** Records a command that ran in the sandbox. @throws PhotonError `DISK`. */
  recordCommand(command: CommandRecord): void;
  close(): void;
}

/** Opens a store whose file is created at the first call. */
export function openSessionStore(path: string, identity: SessionIdentity): SessionStore {
  let fs: AgentFs | undefined;
  let steps = 0;
  const caller = `${identity.run}/${identity.agent}`;
  const open = () => {
    fs ??= create(path, identity);
    return fs;
  };
  const write = (store: AgentFs, delta: SessionDelta, now: number) => {
    for (const change of delta.changed) writeChange(store, change, now);
    if (delta.steps < steps) removeBackups(store, delta.steps);
    writeBackups(store, delta, now);
  };
  return {
    recordCommand: command => {
      const store = open();
      store.transaction(() => writeCommand(store, command, caller));
    },
    record: (operation, delta, about) => {
      const store = open();
      store.transaction(() => {
        write(store, delta, about.endedAt);
        writeCall(store, operation, { ...about, caller });
      });
      ({ steps } = delta);
    },
    keep: (delta, now) => {
      const store = open();
      store.transaction(() => write(store, delta, now));
      ({ steps } = delta);
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

function writeChange(fs: AgentFs, change: FileChange, now: number): void {
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
  if (after === undefined) {
    fs.removeFile(path);
    fs.whiteOut(path, now);
    return;
  }
  fs.writeFile(path, after, now);
}

const isBackup = (path: string) => path.startsWith(`${backupFolder}/`);

/** Removes the backups of steps that were undone. */
function removeBackups(fs: AgentFs, steps: number): void {
  for (const path of fs.paths().filter(isBackup)) {
    const step = Number(path.slice(backupFolder.length + 1).split('/')[0]);
    if (step > steps) fs.removeFile(path);
  }
}

function writeBackups(fs: AgentFs, { backups }: SessionDelta, now: number): void {
  for (const { step, path, before } of backups)
    if (before !== undefined)
      fs.writeFile(`${backupFolder}/${String(step).padStart(4, '0')}/${path}`, before, now);
}

function writeCall(
  fs: AgentFs,
  operation: Operation,
  { startedAt, endedAt, errorLog, caller }: CallTimes & { readonly caller: string },
): void {
  const { tool, decision, code, phase, paths, evidence = '' } = operation;
  const error = [`${code}: ${evidence}`, errorLog].filter(item => item !== undefined).join('\n');
  const id = fs.recordCall({
    name: tool,
    parameters: { caller, paths, sha256: operation.arguments },
    result: decision === 'pass' ? { sha256: operation.content } : undefined,
    error: decision === 'pass' ? undefined : error,
    startedAt,
    endedAt,
  });
  fs.run(
    'INSERT INTO photon_call (call_id, caller, phase, decision, severity, code, paths) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    caller,
    phase,
    decision,
    operation.severity ?? null,
    findCode(operation),
    JSON.stringify(paths),
  );
}

/** Name of commands in the log of calls. */
const commandName = 'command';

function writeCommand(fs: AgentFs, command: CommandRecord, by: string): void {
  const { argv, cwd, network, startedAt, durationMs, end, outputTail, files } = command;
  const caller = `${by}/${command.caller}`;
  const how = describeEnd(command);
  const failed = end !== 'ended' && end !== 'started';
  const id = fs.recordCall({
    name: commandName,
    parameters: { caller, argv, cwd, network },
    error: failed ? `${how}\n${outputTail}` : undefined,
    result: failed ? undefined : { end: how, durationMs, files },
    startedAt,
    endedAt: startedAt + durationMs,
  });
  const record = JSON.stringify(command);
  fs.run(
    'INSERT INTO photon_command (call_id, caller, record) VALUES (?, ?, ?)',
    id,
    caller,
    record,
  );
}

/** A call of a stored session. */
interface StoredCall {
  /** Run and agent. */
  readonly caller: string;
  readonly tool: string;
  readonly phase: string;
  readonly decision: string;
  /** Empty unless the decision is `abstain`. */
  readonly severity: string;
  readonly code: string | undefined;
  /** Why it did not pass, with the error log of a tool that failed; empty for a pass. */
  readonly error: string;
  readonly paths: readonly string[];
}

/** A session as read from its file. */
export interface StoredSession {
  readonly identity: SessionIdentity;
  /** The patch: every path that differs from the base, sorted. */
  readonly changes: readonly FileChange[];
  readonly calls: readonly StoredCall[];
  /** The commands that ran, in the order in which they ended. */
  readonly commands: readonly CommandRecord[];
  readonly backups: readonly string[];
}

/** Reads a session file. @throws PhotonError `SESSION_INVALID`, `DISK`, `FILE_UNREADABLE`. */
export function readStoredSession(path: string): StoredSession {
  // SQLite would block on a pipe
  if (withNamedFile(path, () => true) === undefined)
    throw new PhotonError('SESSION_INVALID', `There is no file ${path}.`);
  const fs = new AgentFs(path, 'read');
  try {
    const about = fs.all('SELECT key, value FROM photon_session');
    const value = (key: string) => String(about.find(r => r.key === key)?.value ?? '');
    const paths = fs.paths();
    return {
      identity: sessionIdentity(value),
      changes: readChanges(fs, paths),
      calls: readCalls(fs),
      commands: readCommands(fs),
      backups: paths.filter(isBackup),
    };
  } finally {
    fs.close();
  }
}

/** Maximum bytes of all files of a session that is read; one content can be linked many times. */
const maxSessionBytes = 512 * 1024 * 1024;

function readChanges(fs: AgentFs, stored: readonly string[]): readonly FileChange[] {
  const bases = new Map(
    fs
      .all('SELECT path, mode, data FROM photon_base')
      .map(r => [String(r.path), r.mode === null ? undefined : readFileState(r.mode, r.data)]),
  );
  const written = stored.filter(path => !isBackup(path));
  const paths = [...new Set([...written, ...fs.whiteOuts(), ...bases.keys()])].sort();
  let bytes = 0;
  return paths.map(path => {
    const after = fs.readFile(ownPath(path));
    bytes += after?.bytes.length ?? 0;
    if (bytes > maxSessionBytes) throw invalidSession('its files exceed 512 MB');
    return { path, before: bases.get(path), after };
  });
}

function readCalls(fs: AgentFs): readonly StoredCall[] {
  const rows = fs.all(
    'SELECT t.name, t.error, p.* FROM tool_calls t JOIN photon_call p ON p.call_id = t.id ORDER BY t.id',
  );
  return rows.map(r => ({
    caller: String(r.caller),
    tool: String(r.name),
    phase: String(r.phase),
    decision: String(r.decision),
    severity: String(r.severity ?? ''),
    error: String(r.error ?? ''),
    code: r.code == null ? undefined : String(r.code),
    paths: parsePaths(String(r.paths)),
  }));
}

function readCommands(fs: AgentFs): readonly CommandRecord[] {
  const rows = fs.all('SELECT record FROM photon_command ORDER BY call_id');
  return rows.map(r => parseCommandRecord(String(r.record)));
}
