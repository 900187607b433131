/** Memory records of local runs: one SQLite file below `.photon/memory/`, ignored by git. */
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { SqliteFile } from './sqlite.ts';
import type { StoreState, VersionedStore } from './versioned-store.ts';

const folder = join('.photon', 'memory');

/** Path of the file below a checkout. */
export function localStorePath(checkout: string): string {
  return join(checkout, folder, 'records.db');
}

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

/** Creates the folder. Every part must be a real folder, because a link in a checkout can lead anywhere. */
function makeFolder(checkout: string): void {
  for (const part of ['.photon', folder]) {
    const full = join(checkout, part);
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(full);
    else if (!found.isDirectory()) throw new PhotonError('DISK', `${full} is not a folder.`);
  }
  // SQLite would write through a link, also to the files that it keeps next to the database
  for (const ending of ['', '-wal', '-shm', '-journal']) {
    const file = `${localStorePath(checkout)}${ending}`;
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw new PhotonError('DISK', `${file} is not a regular file.`);
  }
  const ignore = join(checkout, folder, '.gitignore');
  if (lstatSync(ignore, { throwIfNoEntry: false }) === undefined)
    writeFileSync(ignore, '*\n', { flag: 'wx' });
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
