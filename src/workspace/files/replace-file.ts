/** Files of a checkout that Photon keeps: read bounded, replaced in one step, locked by a file. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../codes.ts';

const maxBytes = 5_000_000;

/**
 * Bytes of a regular file below `root`; null when there is none.
 * @throws PhotonError `DISK` when it, or a folder on the way, is a link, or it is larger than 5 MB.
 */
export function readOwnFile(root: string, path: string): Buffer | null {
  const found = lookAt(root, path);
  if (found === null) return null;
  if (found.size > maxBytes) throw new PhotonError('DISK', `${path} is larger than 5 MB.`);
  return attempt(path, () => readFileSync(join(root, path)));
}

/**
 * Replaces a regular file below `root`, or makes it: whoever reads sees the old bytes or the new.
 * The mode stays.
 * @throws PhotonError `DISK` when it is read-only, no regular file, or cannot be written.
 */
export function replaceOwnFile(root: string, path: string, bytes: Uint8Array | string): void {
  const found = lookAt(root, path);
  // a rename would replace a read-only file all the same
  if (found !== null && (found.mode & 0o222) === 0)
    throw new PhotonError('DISK', `${path} is read-only.`);
  const target = join(root, path);
  const draft = `${target}.${randomBytes(4).toString('hex')}.photon-new`;
  attempt(path, () => {
    mkdirSync(dirname(target), { recursive: true });
    try {
      writeFileSync(draft, bytes, { flag: 'wx', flush: true });
      if (found !== null) chmodSync(draft, found.mode & 0o777);
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/**
 * Takes a lock: a file with the id of this process. One whose process is gone is taken over.
 * @returns what gives it back.
 * @throws PhotonError `WORKFLOW_BUSY`, `DISK`.
 */
export function lockByFile(root: string, path: string): () => void {
  const target = join(root, path);
  const take = () => {
    try {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, `${process.pid}\n`, { flag: 'wx' });
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw new PhotonError('DISK', `${path} cannot be made: ${(cause as Error).message}`, {
        cause,
      });
    }
  };
  if (!take()) {
    const holder = Number(readOwnFile(root, path)?.toString('utf8') ?? '');
    if (isAlive(holder))
      throw new PhotonError('WORKFLOW_BUSY', `Process ${holder} holds ${target}.`);
    rmSync(target, { force: true });
    if (!take()) throw new PhotonError('WORKFLOW_BUSY', `${target} was taken just now.`);
  }
  return () => rmSync(target, { force: true });
}

/**
 * Writes a file below `root` with the folders it needs; false when there is one already, which stays.
 * @throws PhotonError `DISK` when it, or a folder on the way, is a link, or it cannot be written.
 */
export function writeAbsentFile(root: string, path: string, text: string): boolean {
  if (lookAt(root, path) !== null) return false;
  attempt(path, () => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  });
  return true;
}

/** Throws PhotonError `DISK` when a folder on the way to a path below `root` is a link. */
export function requireNoLink(root: string, path: string): void {
  lookAt(root, path);
}

/** True for a file that nobody may write. Throws PhotonError `DISK` as `readOwnFile` does. */
export function isReadOnlyFile(root: string, path: string): boolean {
  const found = lookAt(root, path);
  return found !== null && (found.mode & 0o222) === 0;
}

/** Names of the regular files of a folder below `root`, sorted; none when it is not there. */
export function listOwnFolder(root: string, folder: string): readonly string[] {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    return entries
      .filter(e => e.isFile())
      .map(e => e.name)
      .sort();
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function lookAt(root: string, path: string): { size: number; mode: number } | null {
  const parts = path.split('/');
  for (const [i] of parts.entries()) {
    const part = parts.slice(0, i + 1).join('/');
    const found = attempt(path, () => lstatSync(join(root, part), { throwIfNoEntry: false }));
    if (found === undefined) return null;
    const last = i === parts.length - 1;
    if (last ? !found.isFile() : !found.isDirectory())
      throw new PhotonError('DISK', `${part} is no ${last ? 'regular file' : 'folder'}.`);
    if (last) return found;
  }
  return null;
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new PhotonError('DISK', `${path}: ${(cause as Error).message}`, { cause });
  }
}
