/** Which files a command wrote, changed and deleted, from the folders of its view before and after it. */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../base/system-errors.ts';

/** A folder of the machine that holds what commands write in a view. */
export interface WatchedFolder {
  readonly folder: string;
  /** What stands before its paths when they are named: empty for the checkout, `~/` for home. */
  readonly shownAs: string;
  /** Folders whose files the view shows where `folder` has none, topmost first. */
  readonly lower: readonly string[];
}

/** Paths, and how many there were; at most 100 are named. */
export interface PathList {
  readonly count: number;
  readonly paths: readonly string[];
}

/** What a command did to files. */
export interface FileEffects {
  readonly written: PathList;
  readonly changed: PathList;
  readonly deleted: PathList;
}

const maxNamedPaths = 100;
/** More files than this are not compared. */
const maxFiles = 100_000;

/** A file as it was seen; a whiteout of the overlay hides a file of a lower folder. */
interface FileStamp {
  readonly isWhiteout: boolean;
  /** Differs when the content or mode of the file may have changed. */
  readonly version: string;
}

type Snapshot = ReadonlyMap<string, FileStamp>;

/**
 * Looks at folders before a command. The function that it returns looks again and compares.
 * @returns a function whose result is undefined when the effects are unknown: there are too many files, or a
 * folder cannot be read.
 */
export function watchFolders(folders: readonly WatchedFolder[]): () => FileEffects | undefined {
  const before = folders.map(takeSnapshot);
  return () => {
    const effects = { written: [], changed: [], deleted: [] };
    for (const [i, watched] of folders.entries()) {
      const [earlier, later] = [before[i], takeSnapshot(watched)];
      if (earlier === undefined || later === undefined) return undefined;
      compare(watched, { earlier, later }, effects);
    }
    const { written, changed, deleted } = effects;
    return {
      written: countPaths(written),
      changed: countPaths(changed),
      deleted: countPaths(deleted),
    };
  };
}

function compare(
  { lower, shownAs }: WatchedFolder,
  { earlier, later }: { readonly earlier: Snapshot; readonly later: Snapshot },
  found: Readonly<Record<keyof FileEffects, string[]>>,
): void {
  for (const [path, { isWhiteout, version }] of later) {
    const old = earlier.get(path);
    if (old?.version === version) continue;
    const below = foundBelow(lower, path);
    const existed = old === undefined ? below !== undefined : !old.isWhiteout;
    const kind = isWhiteout ? 'deleted' : existed ? 'changed' : 'written';
    const folder = isWhiteout && below?.isDirectory() === true ? '/' : '';
    found[kind].push(`${shownAs}${path}${folder}`);
  }
  for (const [path, { isWhiteout }] of earlier)
    if (!isWhiteout && !later.has(path)) found.deleted.push(`${shownAs}${path}`);
}

function countPaths(paths: string[]): PathList {
  return { count: paths.length, paths: paths.sort().slice(0, maxNamedPaths) };
}

/** Every file below a folder; undefined when there are too many, or a folder cannot be read. */
function takeSnapshot({ folder }: WatchedFolder): Snapshot | undefined {
  const seen = new Map<string, FileStamp>();
  const open = [''];
  for (const above of open) {
    const entries = readEntries(join(folder, above));
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else {
        const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
        if (stats !== undefined) seen.set(path, makeStamp(stats));
      }
    }
    if (seen.size + open.length > maxFiles) return undefined;
  }
  return seen;
}

function readEntries(folder: string): readonly Dirent[] | undefined {
  return attempt(() => readdirSync(folder, { withFileTypes: true }));
}

function makeStamp(stats: Stats): FileStamp {
  // whiteouts are links to one file, so their times change when another view hides a path
  if (isWhiteout(stats)) return { isWhiteout: true, version: 'whiteout' };
  const { ino, mode, size, mtimeMs, ctimeMs } = stats;
  return { isWhiteout: false, version: [ino, mode, size, mtimeMs, ctimeMs].join() };
}

function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

/** What the lower layers show at a path; undefined when it does not exist or a whiteout hides it. */
export function foundBelow(lower: readonly string[], path: string): Stats | undefined {
  for (const folder of lower) {
    const found = readStats(join(folder, path));
    if (found === 'hidden') return undefined;
    if (found !== undefined) return found.isCharacterDevice() ? undefined : found;
  }
  return undefined;
}

/** `hidden` where a folder above the path is a file or a whiteout: that hides what lies in the layers below. */
function readStats(path: string): Stats | undefined | 'hidden' {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return 'hidden';
    throw error;
  }
}
