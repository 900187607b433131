/** Reads files that Photon did not write: regular files only, and with a limit on their size. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { attempt } from '../../base/system-errors.ts';
import { folderOf } from '../../guard/paths.ts';
import { isBelow, listBelow } from './locate.ts';

// without O_NONBLOCK, opening a pipe would wait for a writer
const namedFile = constants.O_RDONLY | constants.O_NONBLOCK;
const noLink = namedFile | constants.O_NOFOLLOW;

const maxNamedBytes = 256 * 1024 * 1024;
const maxViewBytes = 10_000_000;
const maxOutcomes = { files: 512, bytes: 2_000_000 } as const;

/** Text of a regular file that a test left in a view, at most 10 MB; undefined when it is missing or outside `root`. */
export function readBounded(root: string, path: string): string | 'too-large' | undefined {
  return attempt(() => {
    const target = realpathSync(join(root, path));
    if (!isBelow(target, realpathSync(root))) return undefined;
    return withOpened(target, noLink, (descriptor, found) => {
      if (!found.isFile()) return undefined;
      if (found.size > maxViewBytes) return 'too-large';
      return readStart(descriptor, found.size).toString('utf8');
    });
  });
}

/** The first `maxBytes` of a regular file; undefined for anything else, and for what cannot be read. Follows links. */
export function readBeginning(
  path: string,
  maxBytes: number,
  flags: number = namedFile,
): Buffer | undefined {
  return attempt(() => {
    // to open a pipe lets go on who waits at its other end
    if (!statSync(path).isFile()) return undefined;
    return withOpened(path, flags, (descriptor, found) =>
      found.isFile() ? readStart(descriptor, maxBytes) : undefined,
    );
  });
}

/** The same as text, of a file that an earlier run left; undefined for a link, which could lead to secrets of the host. */
export function readArtifact(folder: string, path: string, maxBytes: number): string | undefined {
  return readBeginning(resolve(folder, path), maxBytes, noLink)?.toString('utf8');
}

function withOpened<T>(
  path: string,
  flags: number,
  work: (descriptor: number, found: Stats) => T,
): T {
  const descriptor = openSync(path, flags);
  try {
    return work(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function readStart(descriptor: number, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(maxBytes);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, maxBytes, 0));
}

/**
 * Text of a file that the user names; undefined when it does not exist. Follows links.
 * @throws PhotonError `FILE_UNREADABLE` for anything but a regular file, for a file larger than 256 MB, and
 * for a file without read permission.
 */
export function readNamedFile(path: string): string | undefined {
  return withNamedFile(path, descriptor => readFileSync(descriptor, 'utf8'));
}

/**
 * Opens a file that the user names, if it is a regular file. Throws PhotonError `FILE_UNREADABLE`.
 * @returns the result of `work`; undefined when the file does not exist.
 */
export function withNamedFile<T>(path: string, work: (descriptor: number) => T): T | undefined {
  try {
    return withOpened(path, namedFile, (descriptor, found) => {
      if (!found.isFile()) throw unreadable(path, 'it is not a regular file');
      if (found.size > maxNamedBytes) throw unreadable(path, 'it is larger than 256 MB');
      return work(descriptor);
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof PhotonError) throw cause;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(path, (cause as Error).message);
  }
}

function unreadable(path: string, reason: string): PhotonError {
  return new PhotonError('FILE_UNREADABLE', `${path} cannot be read: ${reason}.`);
}

/** Texts of the files that a run left in its folder; undefined for a file that is not there. */
export interface RunTexts {
  /** The folder that they were read from; in an archive, its folder there. */
  readonly where: string;
  readonly outcome: string;
  readonly ledger: string | undefined;
  readonly patch: string | undefined;
  readonly statement: string | undefined;
  /** The session, where it was asked for. */
  readonly session?: Buffer | undefined;
}

/** The runs at a path: a file of a run's folder, or a folder that holds runs at any depth, at most 512. */
export function readRunFolders(path: string): readonly RunTexts[] {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const own =
    isFile && basename(path) === 'outcome.json' ? path : join(dirname(path), 'outcome.json');
  const outcomes = isFile ? [own] : outcomePaths(path);
  return outcomes.flatMap(each => {
    const texts = readTexts(dirname(each), name => readNamedFile(join(dirname(each), name)));
    return texts ?? [];
  });
}

function readTexts(
  where: string,
  read: (name: string) => string | undefined,
): RunTexts | undefined {
  const [outcome, ledger, patch, statement] = runFileNames.map(read);
  return outcome === undefined ? undefined : { where, outcome, ledger, patch, statement };
}

/** Names of the files of a run that are compared. */
export const runFileNames = [
  'outcome.json',
  'ledger.jsonl',
  'patch.diff',
  'statement.json',
] as const;

/** The runs among files by path, as of an unpacked archive, in order. */
export function runsAmong(files: ReadonlyMap<string, Buffer>): readonly RunTexts[] {
  const outcomes = [...files.keys()].filter(path => posix.basename(path) === 'outcome.json');
  return outcomes.sort().flatMap(path => {
    const where = posix.dirname(path);
    const get = (name: string) => files.get(posix.join(where, name));
    const texts = readTexts(where, name => get(name)?.toString('utf8'));
    return texts === undefined ? [] : [{ ...texts, session: get('session.db') }];
  });
}

/** Texts of the `outcome.json` files below a folder of downloaded artifacts: at most 512 files of 2 MB each. */
export function readOutcomeFiles(folder: string): readonly string[] {
  return outcomePaths(folder).map(path => readFileSync(path, 'utf8'));
}

function outcomePaths(folder: string): readonly string[] {
  const names = attempt(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? [];
  return names
    .filter(name => /(^|[\\/])outcome\.json$/.test(name))
    .sort()
    .slice(0, maxOutcomes.files)
    .map(name => join(folder, name))
    .filter(path => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size <= maxOutcomes.bytes;
    });
}

const maxFolders = 10_000;
const maxDepth = 3;

/**
 * The folder, relative to `root`, that holds the newest regular file of this name, or undefined.
 * Looks three folders deep, and follows no link.
 */
export function findNewest(root: string, name: string): string | undefined {
  const enters = (path: string) =>
    !['.git', 'node_modules'].includes(posix.basename(path)) && path.split('/').length <= maxDepth;
  let newest: { readonly path: string; readonly time: number } | undefined;
  for (const { path, entry } of listBelow(root, enters, maxFolders)) {
    if (!entry.isFile() || entry.name !== name) continue;
    const time = lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (newest === undefined || time > newest.time) newest = { path, time };
  }
  return newest && folderOf(newest.path);
}
