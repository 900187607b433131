/** Removes folders whose content a command may have made: deeper than a path may be long, without permissions, with mounts. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../../base/system-errors.ts';

const recursive = { recursive: true, force: true, maxRetries: 3 };
const listed = { withFileTypes: true, encoding: 'buffer' } as const;

/** Removes a folder. @throws the system's error for the first thing that stays; all else is gone then. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, recursive);
  } catch {
    emptyFolder(path);
  }
}

/**
 * The same without blocking the process, unless a command made the folder hard to remove: a test can leave 100,000 files.
 * @returns the system's error for the first thing that stays; undefined if all is gone.
 */
export async function removeFolderAside(path: string): Promise<Error | undefined> {
  try {
    await rm(path, recursive);
  } catch {
    try {
      emptyFolder(path);
    } catch (error) {
      return error as Error;
    }
  }
  return undefined;
}

/** Each folder moves up into one folder before it is listed, so no path is longer than that of the root and three names. */
function emptyFolder(root: string): void {
  const errors: unknown[] = [];
  const keepError = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') errors.push(error);
    }
  };
  keepError(() => chmodSync(root, 0o700));
  const raised = mkdtempSync(join(root, 'removed-'));
  const top = Buffer.from(raised);
  const folders = [Buffer.from(root)];
  for (const folder of folders) {
    // a folder that cannot be listed stays, and its removal says why
    for (const entry of attempt(() => readdirSync(folder, listed)) ?? []) {
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (path.equals(top)) continue;
      keepError(() => {
        if (!entry.isDirectory()) return unlinkSync(path);
        // a folder without permissions cannot move
        chmodSync(path, 0o700);
        const to = Buffer.from(join(raised, String(folders.length)));
        renameSync(path, to);
        folders.push(to);
      });
    }
  }
  for (const folder of [...folders.slice(1).reverse(), raised, root])
    keepError(() => rmdirSync(folder));
  if (errors.length > 0) throw errors[0];
}
