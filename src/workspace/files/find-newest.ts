/** Finds the newest file of a name, such as the outcome of the last run. */
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readEntries } from './locate.ts';

const maxFolders = 10_000;
const maxDepth = 3;

/**
 * The folder, relative to `root`, that holds the newest regular file of this name; undefined when there is none.
 * Looks three folders deep, and follows no link.
 */
export function findNewest(root: string, name: string): string | undefined {
  const open = [''];
  let newest: { readonly folder: string; readonly time: number } | undefined;
  for (const folder of open) {
    for (const entry of readEntries(join(root, folder))) {
      const path = posix.join(folder, entry.name);
      const isFolder = entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name);
      if (isFolder && open.length < maxFolders && path.split('/').length <= maxDepth)
        open.push(path);
      if (!entry.isFile() || entry.name !== name) continue;
      const time = lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (newest === undefined || time > newest.time) newest = { folder, time };
    }
  }
  return newest?.folder;
}
