/** Files that Photon keeps in a checkout: read with a limit, replaced atomically, locked by a file. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { describeSystemError, elsewhere } from '../../base/system-errors.ts';
import { readEntries } from './locate.ts';

const maxBytes = 5_000_000;

/**
 * Bytes of a regular file below `root`; undefined when it does not exist.
 * @throws PhotonError `DISK` when it or a folder on its path is a link, or it is larger than 5 MB.
 */
export function readOwnFile(root: string, path: string): Buffer | undefined {
  const found = statPlainFile(root, path);
  if (found === undefined) return undefined;
  if (found.size > maxBytes) throw new PhotonError('DISK', `${path} is larger than 5 MB.`);
  return attempt(path, () => readFileSync(join(root, path)));
}

/**
 * Creates or atomically replaces a regular file below `root`: a reader sees either the old or the new bytes.
 * The mode is kept.
 * @throws PhotonError `DISK` when it is read-only, not a regular file, or cannot be written.
 */
export function replaceOwnFile(root: string, path: string, bytes: Uint8Array | string): void {
  const found = statPlainFile(root, path);
  // a rename would replace a read-only file, too
  if (found !== undefined && (found.mode & 0o222) === 0)
    throw new PhotonError('DISK', `${path} is read-only.`);
  attempt(path, () => replaceFile(join(root, path), bytes, found && found.mode & 0o777));
}

/**
 * Creates or atomically replaces a file, and makes the folders that it needs. The caller has checked its path.
 * @param permissions undefined for those of a new file.
 */
export function replaceFile(
  target: string,
  bytes: Uint8Array | string,
  permissions: number | undefined,
): void {
  const draft = `${target}.${randomBytes(4).toString('hex')}.photon-new`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    writeFileSync(draft, bytes, { flag: 'wx', flush: true });
    if (permissions !== undefined) chmodSync(draft, permissions);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Takes a lock: a file with the id of this process. A lock whose process has ended is taken over.
 * @returns a function that releases the lock.
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
      throw diskError(`${path} cannot be created`, cause);
    }
  };
  if (!take()) {
    const holder = Number(readOwnFile(root, path)?.toString('utf8') ?? '');
    if (isAlive(holder))
      throw new PhotonError('WORKFLOW_BUSY', `Process ${holder} holds the lock ${target}.`);
    rmSync(target, { force: true });
    if (!take())
      throw new PhotonError('WORKFLOW_BUSY', `Another process has just taken the lock ${target}.`);
  }
  return () => rmSync(target, { force: true });
}

/**
 * Creates a file below `root`, and the folders it needs. Returns false and changes nothing when it exists.
 * @throws PhotonError `DISK` when it or a folder on its path is a link, or it cannot be written.
 */
export function writeAbsentFile(root: string, path: string, text: string | Buffer): boolean {
  if (statPlainFile(root, path) !== undefined) return false;
  attempt(path, () => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  });
  return true;
}

/** Throws PhotonError `DISK` when a folder on a path below `root` is a link. */
export function requireNoLink(root: string, path: string): void {
  statPlainFile(root, path);
}

/** True for a file without write permission. Throws PhotonError `DISK` as `readOwnFile` does. */
export function isReadOnlyFile(root: string, path: string): boolean {
  const found = statPlainFile(root, path);
  return found !== undefined && (found.mode & 0o222) === 0;
}

/** Names of the regular files in a folder below `root`, sorted; none when the folder does not exist. */
export function listOwnFolder(root: string, folder: string): readonly string[] {
  const entries = readEntries(join(root, folder));
  return entries.flatMap(e => (e.isFile() ? [e.name] : [])).sort();
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

function statPlainFile(root: string, path: string): { size: number; mode: number } | undefined {
  const parts = path.split('/');
  for (const [i] of parts.entries()) {
    const part = parts.slice(0, i + 1).join('/');
    const found = attempt(path, () => lstatSync(join(root, part), { throwIfNoEntry: false }));
    if (found === undefined) return undefined;
    const last = i === parts.length - 1;
    if (last ? !found.isFile() : !found.isDirectory())
      throw new PhotonError('DISK', `${part} is not a ${last ? 'regular file' : 'folder'}.`);
    if (last) return found;
  }
  return undefined;
}

const attempt = <T>(path: string, work: () => T) => useDisk(`${path} cannot be used`, work);

/** Does work on files. @param what as for `diskError`. @throws PhotonError `DISK`, `SYSTEM_LIMIT` where the system refuses it. */
export function useDisk<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw diskError(what, cause);
  }
}

/** What the system's codes mean for a path that is written to, besides those of `system-errors.ts`. */
const reasons: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ENOENT: ['the folder around it does not exist', elsewhere],
  ENOTDIR: ['a file is in the place of a folder', elsewhere],
  EEXIST: ['something else is in its place', 'Choose a name that does not exist yet.'],
  EISDIR: ['a folder is in its place', 'Choose a name that does not exist yet.'],
  ENAMETOOLONG: ['its name is too long', 'Choose a shorter name.'],
};

/**
 * The error for a write that failed: `DISK`, or `SYSTEM_LIMIT`.
 * @param what what cannot be written, as the beginning of a sentence, such as `x.json cannot be written`.
 * @param hint what to do if the system's code does not say more.
 */
export function diskError(what: string, cause: unknown, hint = elsewhere): PhotonError {
  if (cause instanceof PhotonError) return cause;
  const system = describeSystemError(cause);
  if (system !== undefined)
    return new PhotonError(system.code, `${what}: ${system.reason}.`, { hint: system.hint, cause });
  const { code = '', message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException;
  const [reason, advice] = reasons[code] ?? [
    code === '' ? message : `the system says ${code}`,
    hint,
  ];
  return new PhotonError('DISK', `${what}: ${reason}.`, { hint: advice, cause });
}
