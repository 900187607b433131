/** Finds what lies on the machine: paths link by link, so that a sandbox can mount real paths and recreate the links, and entries of folders. */
import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, posix, resolve, sep } from 'node:path';
import { attempt } from '../../base/system-errors.ts';

/** Folder of the runs that `photon run` keeps, below the top folder of a checkout. */
export const runsFolder = '.photon/runs';

/** A path of the machine, and how the root of a command shows it. */
interface PathLocation {
  /** Where it is mounted; no part of this path is a link. */
  readonly at: string;
  /** The real path on the machine. */
  readonly from: string;
  /** The links on the path, to recreate in the root. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly at: string;
  /** The target as written in the link. */
  readonly to: string;
}

const maxLinks = 40; // the limit of the kernel

/**
 * Follows a path link by link; undefined when it does not exist.
 * @param own folders that belong to the view. Links of the machine inside them are not recreated, so a
 * path below them is shown as written.
 */
export function locate(path: string, own: readonly string[]): PathLocation | undefined {
  const links: Link[] = [];
  let at = '/';
  let rest = splitPath(resolve(path));
  while (rest.length > 0) {
    const next = join(at, rest[0] ?? '');
    if (own.some(folder => isBelow(next, folder))) {
      at = join(at, ...rest);
      break;
    }
    const to = linkText(next);
    if (to === undefined) {
      at = next;
      rest = rest.slice(1);
      continue;
    }
    if (links.length >= maxLinks) return undefined;
    links.push({ at: next, to });
    rest = [...splitPath(resolve(at, to)), ...rest.slice(1)];
    at = '/';
  }
  const from = realPath(path);
  return from === undefined ? undefined : { at, from, links };
}

/** The real path; undefined when it does not exist or this user has no access. */
export function realPath(path: string): string | undefined {
  return attempt(() => realpathSync.native(path));
}

/** True for a path inside a folder, but not for the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

/** True for a folder and every path inside it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

/** The folders above a path, nearest first, without the root. */
export function listAncestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === dirname(above) ? [] : [above, ...listAncestors(above)];
}

/** A path of the machine in the form of a repository, with `/` between its names. */
export function toSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}

function splitPath(path: string): readonly string[] {
  return path.split('/').filter(part => part !== '');
}

/** The target of a link; undefined when the path is not a link. */
export function linkText(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}

/** The entries of a folder; none of one that cannot be read. */
export function readEntries(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

/** Something below a folder; its path is relative to that folder, with `/` between its names. */
export interface EntryBelow {
  readonly path: string;
  readonly entry: Dirent;
}

/**
 * Everything below a folder except the folders that are entered, those nearest to it first. No link is followed.
 * @param enters true for a folder to enter; any other is an entry itself.
 * @param maxFolders folders beyond this number are not entered.
 */
export function* listBelow(
  root: string,
  enters: (path: string) => boolean,
  maxFolders = Number.POSITIVE_INFINITY,
): Generator<EntryBelow> {
  const folders = [''];
  for (const folder of folders)
    for (const entry of readEntries(join(root, folder))) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && folders.length < maxFolders && enters(path)) folders.push(path);
      else yield { path, entry };
    }
}

/** True for a folder that is no link to one. */
export function isRealFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
