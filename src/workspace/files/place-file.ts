/** Writes and removes files in a folder that commands may have changed, without following links. */
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Platform } from '../../process/platform.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import type { FileState } from './change.ts';

interface PlacedState {
  readonly path: string;
  /** Undefined removes it. */
  readonly state: FileState | undefined;
  /** The system; that of this machine by default. */
  readonly platform?: Pick<Platform, 'hasModes'>;
}

/**
 * Creates or removes one file. Anything on the path that is not a real folder is replaced by one.
 * @param modeOf the mode of a folder that must be created; default 0755.
 */
export function placeFile(
  root: string,
  { path, state, platform = thisPlatform }: PlacedState,
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
    if (state === undefined) return; // nothing can exist below it
    if (found) rmSync(full, { force: true });
    mkdirSync(full);
    chmodSync(full, modeOf(folder));
  }
  const target = join(root, path);
  rmSync(target, { recursive: true, force: true });
  if (state === undefined) return;
  // a link needs a right that users of Windows rarely have: as git does there, its target becomes the content of a file
  if (state.mode === '120000' && platform.hasModes) {
    symlinkSync(Buffer.from(state.bytes), target);
    return;
  }
  writeFileSync(target, state.bytes, { flag: 'wx' });
  chmodSync(target, state.mode === '100755' ? 0o755 : 0o644);
}
