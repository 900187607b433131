/** Writes and removes files in a folder that commands may have changed, without following links. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileState } from './change.ts';

/**
 * Creates or removes one file. Anything on the path that is not a real folder is replaced by one.
 * @param modeOf the mode of a folder that must be created; default 0755.
 */
export function placeFile(
  root: string,
  { path, state }: { readonly path: string; readonly state: FileState | null },
  modeOf: (folder: string) => number = () => 0o755,
): void {
  let folder = '';
  for (const part of dirname(path)
    .split('/')
    .filter(p => p !== '.')) {
    folder = join(folder, part);
    const full = join(root, folder);
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found?.isDirectory()) continue;
    if (state === null) return; // nothing can exist below it
    if (found) rmSync(full, { force: true });
    mkdirSync(full);
    chmodSync(full, modeOf(folder));
  }
  const target = join(root, path);
  rmSync(target, { recursive: true, force: true });
  if (state === null) return;
  if (state.mode === '120000') {
    symlinkSync(Buffer.from(state.bytes), target);
    return;
  }
  writeFileSync(target, state.bytes, { flag: 'wx' });
  chmodSync(target, state.mode === '100755' ? 0o755 : 0o644);
}

/** Removes a folder, even when a command made folders inside it unreadable. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    unlockFolders(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The same without blocking the process: a test can leave 100,000 files. */
export async function removeFolderAside(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await unlockFoldersAsync(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function unlockFolders(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) unlockFolders(join(path, name));
}

async function unlockFoldersAsync(path: string): Promise<void> {
  await chmod(path, 0o700);
  const entries = await readdir(path, { withFileTypes: true });
  for (const each of entries)
    if (each.isDirectory()) await unlockFoldersAsync(join(path, each.name));
}
