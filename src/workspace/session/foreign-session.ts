/** Checks a session file before anything in it is used, because it can be forged. */
import { PhotonError } from '../../base/codes.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { FileState } from '../files/change.ts';
import type { SqliteFile } from '../stores/sqlite.ts';

export interface SessionIdentity {
  readonly run: string;
  /** Name of the agent profile that the run follows. */
  readonly agent: string;
  /** The base commit of the session, and its tree. */
  readonly commit: string;
  readonly tree: string;
}

/** The error for an invalid session file. */
export function invalidSession(what: string): PhotonError {
  return new PhotonError('SESSION_INVALID', `The session cannot be used: ${what}.`);
}

/** The bytes of a blob; empty for a missing value. Throws PhotonError `SESSION_INVALID`. */
export function readBytes(value: unknown): Uint8Array {
  if (value === null || value === undefined) return new Uint8Array();
  if (!(value instanceof Uint8Array)) throw invalidSession('the content of a file is not a blob');
  return value;
}

/**
 * Accepts ordinary tables only: a view or a generated column in an untrusted file could compute forever.
 * @throws PhotonError `SESSION_INVALID`.
 */
export function requirePlainTables(db: SqliteFile): void {
  db.exec('PRAGMA trusted_schema = OFF');
  const odd = db.get(
    "SELECT l.name FROM pragma_table_list l WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite_%' AND (l.type <> 'table' OR EXISTS (SELECT 1 FROM pragma_table_xinfo(l.name) x WHERE x.hidden <> 0))",
  );
  if (odd !== undefined) throw invalidSession(`${odd.name} is not an ordinary table`);
}

/** Reads the identity. Its values go into commit messages, refs and git input, so they must be plain ids. */
export function sessionIdentity(value: (key: string) => string): SessionIdentity {
  const [run, commit, tree] = [value('run'), value('commit'), value('tree')];
  if (!/^[\w.-]{0,100}$/.test(run)) throw invalidSession('its run id is malformed');
  for (const id of [commit, tree])
    if (!/^\w{0,64}$/.test(id)) throw invalidSession(`${id} is not an object id`);
  return { run, agent: value('agent').slice(0, 80), commit, tree };
}

/** Requires a path that a patch can contain: inside the repository, and not inside `.git`. */
export function ownPath(path: string): string {
  if (path === '' || normalisePath(path) !== path)
    throw invalidSession(`${JSON.stringify(path)} is not a path inside the repository`);
  return path;
}

/** A file state from its stored mode and content. */
export function readFileState(mode: unknown, data: unknown): FileState {
  if (mode !== '100644' && mode !== '100755' && mode !== '120000')
    throw invalidSession(`${JSON.stringify(mode)} is not a file mode`);
  return { mode, bytes: readBytes(data) };
}

/** Parses the stored paths of a call. */
export function parsePaths(text: string): readonly string[] {
  const paths = parseJson(text);
  if (Array.isArray(paths) && paths.every(p => typeof p === 'string')) return paths;
  throw invalidSession('the paths of a call are not a JSON list of strings');
}
