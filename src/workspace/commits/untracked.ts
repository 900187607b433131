/** Files of the checkout that belong to no commit, and files of the commit that a layer over the checkout changes. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isRealFolder, listAncestors } from '../files/locate.ts';
import type { Git } from '../git/git.ts';

/** The first path of the checkout that is not of the base and that views show; undefined if there is none. */
export async function findUntracked(git: Git): Promise<string | undefined> {
  const tracked = await git.listTreeEntries(git.tree);
  const folders = new Set([...tracked.keys()].flatMap(path => listAncestors(`/${path}`)));
  const unshown = new Set(await git.unshown());
  const open = [''];
  for (const folder of open) {
    for (const entry of readdirSync(join(git.checkout, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (path === '.git' || unshown.has(path)) continue;
      if (entry.isDirectory() && folders.has(`/${path}`)) open.push(path);
      else if (!tracked.has(path)) return path;
    }
  }
  return undefined;
}

/** The first of these paths that a layer over the checkout changes or hides; undefined if there is none. */
export function findChanged(layer: string, paths: Iterable<string>): string | undefined {
  const known = new Map<string, boolean>();
  const isFolder = (path: string) => {
    const found = known.get(path) ?? isRealFolder(join(layer, path));
    known.set(path, found);
    return found;
  };
  for (const path of paths) {
    const above = listAncestors(`/${path}`).toReversed();
    const end = above.find(folder => !isFolder(folder)) ?? `/${path}`;
    if (lstatSync(join(layer, end), { throwIfNoEntry: false }) !== undefined) return path;
  }
  return undefined;
}
