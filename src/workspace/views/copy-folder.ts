/** Copies what a folder holds into another, without `.git`. */
import { execFile } from 'node:child_process';
import { constants, readdirSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PhotonError } from '../../base/codes.ts';
import type { Platform } from '../../process/platform.ts';
import type { Programs } from '../../process/programs.ts';
import { systemName, thisPlatform } from '../../process/this-platform.ts';
import { isWithin } from '../files/locate.ts';

const run = promisify(execFile);
const namesAtOnce = 200;
const filesAtOnce = 32;

/** Copies with times and modes; shares blocks if the file system can. @throws PhotonError `DISK`. */
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
