/** Fills the folder of a view: with a copy of what a folder holds, and with single files, where no link on the way is followed. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import { systemName } from '../../process/system.ts';
import type { FileState } from '../files/change.ts';

const run = promisify(execFile);
const namesAtOnce = 200;

/** Copies all but `.git`, with times and modes; shares blocks if the file system can. @throws PhotonError `DISK`. */
export async function copyFolder(
  { from, programs }: { readonly from: string; readonly programs: Programs },
  target: string,
): Promise<void> {
  const names = readdirSync(from).filter(name => name !== '.git');
  const env = { PATH: programs.searchPath, LC_ALL: 'C' };
  const flags = systemName === 'linux' ? ['-a', '--reflink=auto'] : ['-a'];
  for (let i = 0; i < names.length; i += namesAtOnce) {
    const sources = names.slice(i, i + namesAtOnce).map(n => join(from, n));
    try {
      await run(programs.paths.cp ?? '/bin/cp', [...flags, '--', ...sources, target], {
        env,
        maxBuffer: 1024 * 1024,
      });
    } catch (cause) {
      const reason = String((cause as { stderr?: unknown }).stderr ?? cause).trim();
      const message = `The checkout cannot be copied: ${reason.slice(0, 400)}`;
      throw new PhotonError('DISK', message, { cause });
    }
  }
}

interface PlacedState {
  readonly path: string;
  /** Undefined removes it. */
  readonly state: FileState | undefined;
}

/**
 * Creates or removes one file. Anything on the path that is not a real folder is replaced by one.
 * @param modeOf the mode of a folder that must be created; default 0755.
 */
export function placeFile(
  root: string,
  { path, state }: PlacedState,
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
  if (state.mode === '120000') {
    symlinkSync(Buffer.from(state.bytes), target);
    return;
  }
  writeFileSync(target, state.bytes, { flag: 'wx' });
  chmodSync(target, state.mode === '100755' ? 0o755 : 0o644);
}
