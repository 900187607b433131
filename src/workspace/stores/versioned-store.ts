/** Versioned stores: a few named texts that change together, by compare-and-swap. That of local runs is a SQLite file below `.photon/memory/`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireNoLink, writeAbsentFile } from '../files/replace-file.ts';
import { SqliteFile } from './sqlite.ts';

export interface StoreState {
  /** Version of the state, which `swap` compares; empty before the first write. */
  readonly seen: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

export interface VersionedStore {
  /** Where the store is, for messages to people. */
  readonly place: string;
  read(): Promise<StoreState>;
  /**
   * Writes or removes (undefined) texts: all of them or none. Returns `moved` when the state is no longer the
   * one that was seen.
   */
  swap(
    seen: StoreState,
    edits: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<'done' | 'moved'>;
}

const folder = '.photon/memory';
const name = 'records.db';

const localStorePath = (checkout: string) => join(checkout, folder, name);

/** True when a checkout has a store. */
export function hasLocalStore(checkout: string): boolean {
  return existsSync(localStorePath(checkout));
}

/** The store of a checkout. The first write makes it, with a `.gitignore` that hides the folder. */
export function openLocalStore(checkout: string): VersionedStore {
  const path = localStorePath(checkout);
  return {
    place: path,
    read: async () =>
      existsSync(path) ? withFile(checkout, readState) : { seen: '', files: new Map() },
    swap: async (seen, edits) => withFile(checkout, db => swap(db, seen, edits)),
  };
}

function withFile<T>(checkout: string, work: (db: SqliteFile) => T): T {
  makeFolder(checkout);
  const db = new SqliteFile(localStorePath(checkout), 'write');
  try {
    db.transaction(() => {
      db.exec('CREATE TABLE IF NOT EXISTS text (path TEXT PRIMARY KEY, text TEXT NOT NULL)');
      db.exec(
        'CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), seen INTEGER NOT NULL)',
      );
      db.exec('INSERT OR IGNORE INTO state (one, seen) VALUES (1, 0)');
    });
    return work(db);
  } finally {
    db.close();
  }
}

/**
 * Creates the folder, hidden from git. Nothing on the way may be a link, because one in a checkout can lead anywhere; SQLite
 * would write through a link, also to the files that it keeps next to the database.
 */
function makeFolder(checkout: string): void {
  writeAbsentFile(checkout, `${folder}/.gitignore`, '*\n');
  for (const ending of ['', '-wal', '-shm', '-journal'])
    requireNoLink(checkout, `${folder}/${name}${ending}`);
}

function readSeen(db: SqliteFile): string {
  return String(db.get('SELECT seen FROM state')?.seen ?? 0);
}

function readState(db: SqliteFile): StoreState {
  return db.transaction(() => {
    const rows = db.all('SELECT path, text FROM text ORDER BY path');
    return { seen: readSeen(db), files: new Map(rows.map(r => [String(r.path), String(r.text)])) };
  });
}

/** Compares and swaps in one transaction, so that concurrent processes do not overwrite each other. */
function swap(
  db: SqliteFile,
  state: StoreState,
  edits: ReadonlyMap<string, string | undefined>,
): 'done' | 'moved' {
  return db.transaction(() => {
    if (readSeen(db) !== (state.seen || '0')) return 'moved';
    for (const [path, text] of edits)
      if (text === undefined) db.run('DELETE FROM text WHERE path = ?', path);
      else db.run('INSERT OR REPLACE INTO text (path, text) VALUES (?, ?)', path, text);
    db.run('UPDATE state SET seen = seen + 1');
    return 'done';
  });
}
