/** A session's file as somebody may have forged it: what it must be like before anything of it is used. */
import { PhotonError } from '../../codes.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { FileState } from '../files/change.ts';
import type { SqliteFile } from '../stores/sqlite.ts';

export interface SessionIdentity {
  readonly run: string;
  /** Commit that the session lies over, and its tree. */
  readonly commit: string;
  readonly tree: string;
}

/** What is wrong with a session that somebody gave. */
export function invalidSession(what: string): PhotonError {
  return new PhotonError('SESSION_INVALID', `The session cannot be used: ${what}.`);
}

/** A blob; an empty one for a value that is missing. Throws PhotonError `SESSION_INVALID`. */
export function bytesOf(value: unknown): Uint8Array {
  if (value === null || value === undefined) return new Uint8Array();
  if (!(value instanceof Uint8Array)) throw invalidSession('the content of a file is no blob');
  return value;
}

/**
 * A file of somebody else's could compute without end in a view, or in a column of its own making.
 * @throws PhotonError `SESSION_INVALID`.
 */
export function requirePlainTables(db: SqliteFile): void {
  db.exec('PRAGMA trusted_schema = OFF');
  const odd = db.get(
    "SELECT l.name FROM pragma_table_list l WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite_%' AND (l.type <> 'table' OR EXISTS (SELECT 1 FROM pragma_table_xinfo(l.name) x WHERE x.hidden <> 0))",
  );
  if (odd !== undefined) throw invalidSession(`${odd.name} is no plain table`);
}

/** Words that stand in commit messages, refs and the input of git: nothing but words. */
export function sessionIdentity(value: (key: string) => string): SessionIdentity {
  const [run, commit, tree] = [value('run'), value('commit'), value('tree')];
  if (!/^[\w.-]{0,100}$/.test(run)) throw invalidSession('its run is no id');
  for (const id of [commit, tree])
    if (!/^\w{0,64}$/.test(id)) throw invalidSession(`${id} is no object id`);
  return { run, commit, tree };
}

/** A path that a patch may have: inside the repository, and never git's own folder. */
export function ownPath(path: string): string {
  if (path === '' || normalisePath(path) !== path)
    throw invalidSession(`${JSON.stringify(path)} is no path of a repository`);
  return path;
}

/** Mode and content as they are stored. */
export function stateOf(mode: unknown, data: unknown): FileState {
  if (mode !== '100644' && mode !== '100755' && mode !== '120000')
    throw invalidSession(`${JSON.stringify(mode)} is no mode of a file`);
  return { mode, bytes: bytesOf(data) };
}

/** The paths of a call, as they were written. */
export function pathsOf(text: string): readonly string[] {
  const wrong = invalidSession('the paths of a call cannot be read');
  try {
    const paths: unknown = JSON.parse(text);
    if (Array.isArray(paths) && paths.every(p => typeof p === 'string')) return paths;
  } catch (cause) {
    throw new PhotonError(wrong.code, wrong.message, { cause });
  }
  throw wrong;
}
