/** Paths of the machine with the links on the way to them: what is mounted is mounted by its real path. */
import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A path of the machine, and how a command's root comes to show it. */
export interface Located {
  /** Where it is mounted: no part of it is a link of the machine. */
  readonly at: string;
  /** Its real path on the machine. */
  readonly from: string;
  /** Links on the way, to be made again in the root. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly at: string;
  /** Its text, as it is on the machine. */
  readonly to: string;
}

const maxLinks = 40; // as many as the kernel follows

/**
 * Follows a path link by link; null when it leads nowhere.
 * @param own folders that belong to the view: the machine's links in them are not made again, so a
 * path below them is shown as it is spelled.
 */
export function locate(path: string, own: readonly string[]): Located | null {
  const links: Link[] = [];
  let at = '/';
  let rest = partsOf(resolve(path));
  while (rest.length > 0) {
    const next = join(at, rest[0] ?? '');
    if (own.some(folder => isBelow(next, folder))) {
      at = join(at, ...rest);
      break;
    }
    const to = linkText(next);
    if (to === null) {
      at = next;
      rest = rest.slice(1);
      continue;
    }
    if (links.length >= maxLinks) return null;
    links.push({ at: next, to });
    rest = [...partsOf(resolve(at, to)), ...rest.slice(1)];
    at = '/';
  }
  const from = realPath(path);
  return from === null ? null : { at, from, links };
}

/** The real path; null when there is nothing, or nothing that this user may reach. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** True for a path inside a folder, and not the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

/** True for a folder and every path inside it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

/** The folders above a path, nearest first; without the root. */
export function ancestorsOf(path: string): readonly string[] {
  const above = dirname(path);
  return above === '/' || above === path ? [] : [above, ...ancestorsOf(above)];
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter(part => part !== '');
}

/** The text of a link; null for what is none. */
export function linkText(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
