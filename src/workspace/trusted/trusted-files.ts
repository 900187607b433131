/** Reads the files that control a run (constitution, configuration, skills) from the git objects of one commit. */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathMatcher } from '../../base/path-patterns.ts';
import type { Git } from '../git/git.ts';

/** Files of a trusted commit. The work tree is not trusted, because the task can change it. */
export interface TrustedFiles {
  readonly ref: string;
  readonly commit: string;
  /** The files of the repository that the configuration here extends, with their name and commit. */
  readonly central?: CentralFiles;
  /** Content of a regular file; undefined when it does not exist or is a link. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * The first bytes of a regular file, and its size; undefined when it does not exist or is a link. Reading from
   * disk stops when `isEnough` returns true for the bytes so far.
   */
  head(
    path: string,
    maxBytes: number,
    isEnough?: (bytes: Uint8Array) => boolean,
  ): Promise<FileHead | undefined>;
  /** Paths of the regular files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Paths below, at or above a folder that are links, submodules or, on disk, special files such as pipes. */
  links(folder: string): Promise<readonly string[]>;
}

/** Files that hold for many repositories, named as `owner/name@commit`. */
export interface CentralFiles {
  readonly name: string;
  readonly files: TrustedFiles;
}

interface FileHead {
  readonly bytes: Uint8Array;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

/** The head of a file whose bytes are already in memory. */
export function makeFileHead(
  bytes: Uint8Array | undefined,
  maxBytes: number,
): FileHead | undefined {
  return bytes === undefined
    ? undefined
    : { bytes: bytes.subarray(0, maxBytes), size: bytes.length };
}

/** True when a path is below, at or above a folder. */
export function isOnTheWay(path: string, folder: string): boolean {
  return folder === '' || `${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}

/** The files of a commit that the checkout contains. */
export const openLocalFiles = (git: Git, at: CommitName): TrustedFiles =>
  openTreeFiles(at, { entries: () => git.listTreeEntries(at.commit), read: oid => git.read(oid) });

type CommitName = Pick<TrustedFiles, 'ref' | 'commit'>;

interface CommitTree {
  /** All but the folders, by path. */
  readonly entries: () => Promise<
    ReadonlyMap<string, { readonly mode: string; readonly oid: string }>
  >;
  readonly read: (oid: string) => Promise<Uint8Array | undefined>;
}

/** The files of a commit, by its tree. */
export function openTreeFiles(
  { ref, commit }: CommitName,
  { entries, read: readObject }: CommitTree,
): TrustedFiles {
  const read = async (path: string) => {
    const entry = (await entries()).get(path);
    return entry?.mode.startsWith('100') ? readObject(entry.oid) : undefined;
  };
  return {
    ref,
    commit,
    read,
    head: async (path, maxBytes) => makeFileHead(await read(path), maxBytes),
    links: async folder =>
      [...(await entries())]
        .filter(([path, { mode }]) => !mode.startsWith('100') && isOnTheWay(path, folder))
        .map(([path]) => path),
    list: async folder => {
      const below = folder === '' ? '' : `${folder}/`;
      return [...(await entries())]
        .filter(([path, { mode }]) => path.startsWith(below) && mode.startsWith('100'))
        .map(([path]) => path);
    },
  };
}

/** The same files without those that match a pattern of a list. */
export function withoutPaths(files: TrustedFiles, patterns: readonly string[]): TrustedFiles {
  if (patterns.length === 0) return files;
  const matches = pathMatcher(patterns);
  const isShown = (path: string) => matches(path) === undefined;
  return {
    ...files,
    read: async path => (isShown(path) ? files.read(path) : undefined),
    head: async (path, ...more) => (isShown(path) ? files.head(path, ...more) : undefined),
    list: async folder => (await files.list(folder)).filter(isShown),
  };
}

/** The files of a folder on disk, for `photon validate` in the user's own work tree. */
export function openFolderFiles(root: string): TrustedFiles {
  const at = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false });
  const above = (path: string) =>
    path.split('/').flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join('/')]));
  const isFile = (path: string) =>
    above(path).every(p => at(p)?.isDirectory()) && at(path)?.isFile() === true;
  return {
    ref: '',
    commit: '',
    read: async path => (isFile(path) ? readFileSync(join(root, path)) : undefined),
    head: async (path, maxBytes, isEnough = () => false) =>
      isFile(path) ? readHead(join(root, path), maxBytes, isEnough) : undefined,
    list: async folder => {
      if (![...above(folder), folder].every(p => at(p)?.isDirectory())) return [];
      return pathsBelow(root, folder).filter(isFile);
    },
    links: async folder => {
      const isOther = (path: string) => {
        const found = at(path);
        return found !== undefined && !found.isFile() && !found.isDirectory();
      };
      const link = [...above(folder), folder].find(p => p !== '' && isOther(p));
      if (link !== undefined) return [link];
      return at(folder)?.isDirectory() ? pathsBelow(root, folder).filter(isOther) : [];
    },
  };
}

const blockBytes = 512;

function readHead(
  path: string,
  maxBytes: number,
  isEnough: (bytes: Uint8Array) => boolean,
): FileHead {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    let end = 0;
    while (end < bytes.length && !isEnough(bytes.subarray(0, end))) {
      const read = readSync(descriptor, bytes, end, Math.min(blockBytes, bytes.length - end), end);
      if (read === 0) break;
      end += read;
    }
    return { bytes: bytes.subarray(0, end), size };
  } finally {
    closeSync(descriptor);
  }
}

/** Paths below a folder, without `.git` and `node_modules`. */
function pathsBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === '.git' || entry.name === 'node_modules') return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? pathsBelow(root, path) : [path];
  });
}
