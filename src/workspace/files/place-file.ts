/** Files set and removed inside a folder of Photon's own that commands may have written to. */
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
 * Creates or removes one file; every folder on the way is a real one after it.
 * @param modeOf mode of a folder that has to be made; default 0755.
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
    if (state === null) return; // nothing can be below it
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

/** Removes a folder, folders in it that a test made unreadable included. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    openFolders(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The same without holding up whatever else the process has to do: a test may leave 100,000 files. */
export async function removeFolderAside(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await openFoldersAside(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openFolders(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openFolders(join(path, name));
}

async function openFoldersAside(path: string): Promise<void> {
  await chmod(path, 0o700);
  const entries = await readdir(path, { withFileTypes: true });
  for (const each of entries) if (each.isDirectory()) await openFoldersAside(join(path, each.name));
}
