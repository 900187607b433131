/** Fills the folder of a view: with a copy of what a folder holds, and with single files, where no link on the way is followed. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Platform } from '../../process/platform.ts';
import type { Programs } from '../../process/programs.ts';
import { systemName, thisPlatform } from '../../process/this-platform.ts';
import type { FileState } from '../files/change.ts';
import { isWithin } from '../files/locate.ts';

const run = promisify(execFile);
const namesAtOnce = 200;
const filesAtOnce = 32;

/** Copies all but `.git`, with times and modes; shares blocks if the file system can. @throws PhotonError `DISK`. */
export async function copyFolder(
  { from, programs }: { readonly from: string; readonly programs: Programs },
  target: string,
  platform: Platform = thisPlatform,
): Promise<void> {
  const names = readdirSync(from).filter(n => !platform.isSame(n, '.git'));
  if (platform.name === 'windows') return copyNames({ from, to: target, names });
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

interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** Names in `from` to copy. */
  readonly names: readonly string[];
}

/**
 * Copies without a program. The system copies the times of files, too; a link is not followed, and one that leads into
 * the copied folder leads into the copy.
 * @throws PhotonError `DISK`.
 */
async function copyNames({ from, to, names }: CopyRequest): Promise<void> {
  const copy = async (name: string): Promise<void> => {
    const [source, target] = [join(from, name), join(to, name)];
    const found = await lstat(source);
    if (found.isSymbolicLink()) return copyLink(source, target);
    if (found.isFile()) return copyFile(source, target, constants.COPYFILE_FICLONE);
    if (!found.isDirectory()) return;
    await mkdir(target);
    const inside = await readdir(source);
    for (let i = 0; i < inside.length; i += filesAtOnce)
      await Promise.all(inside.slice(i, i + filesAtOnce).map(each => copy(join(name, each))));
  };
  const copyLink = async (source: string, target: string) => {
    const leads = resolve(dirname(source), await readlink(source));
    const own = isWithin(leads, from) ? join(to, relative(from, leads)) : leads;
    const isFolder = (await stat(source).catch(() => null))?.isDirectory() === true;
    // a junction needs no right, as a link to a file does
    await symlink(own, target, isFolder ? 'junction' : 'file').catch(async () => {
      if (isWithin(leads, from)) await copyFile(source, target).catch(() => {});
    });
  };
  try {
    for (const name of names) await copy(name);
  } catch (cause) {
    const message = `The checkout cannot be copied: ${(cause as Error).message}`;
    throw new PhotonError('DISK', message, { cause });
  }
}

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
