/** Reads the files that control a run (constitution, configuration, skills) from the git objects of one commit. */
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { pathMatcher } from '../../base/path-patterns.ts';
import type { Programs } from '../../process/programs.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import { differs, type FileChange, type FileState } from '../files/change.ts';
import { isCheckedOut } from '../files/line-ends.ts';
import type { Git } from '../git/git.ts';
import { runGit } from '../git/git-process.ts';
import { isInstructionFile } from './instruction-files.ts';

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

export interface FileHead {
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
export function openLocalFiles(
  git: Git,
  { ref, commit }: { ref: string; commit: string },
): TrustedFiles {
  let listed: ReturnType<Git['listTreeEntries']> | undefined;
  const entries = () => {
    listed ??= git.listTreeEntries(commit);
    return listed;
  };
  const read = async (path: string) => {
    const entry = (await entries()).get(path);
    return entry?.mode.startsWith('100') ? git.read(entry.oid) : undefined;
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

/** The files that settings name, besides those whose name alone makes them control a run. */
export interface NamedPaths {
  /** Configuration, agent profile, shape of a review. */
  readonly files: readonly string[];
  /** Folders of skills. */
  readonly folders: readonly string[];
}

/** Files at any depth that control a run by their name, as patterns of git. */
const patterns = [
  'constitution.md',
  'AGENTS.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  '.github/instructions/*',
].map(name => `:(glob)**/${name}`);

const maxListedBytes = 1_000_000;

/** Each file that controls a run and differs from the commit: its committed state, and that of the work tree. Sorted by path. */
export async function findUncommitted(
  git: Git,
  { files, folders }: NamedPaths,
  programs: Programs,
): Promise<readonly FileChange[]> {
  const { checkout } = git;
  const isBelow = (path: string) => folders.some(folder => path.startsWith(`${folder}/`));
  const isTrusted = (path: string) =>
    files.includes(path) ||
    isBelow(path) ||
    posix.basename(path) === 'constitution.md' ||
    isInstructionFile(path);
  const onDisk = openFolderFiles(checkout);
  const below = await Promise.all(folders.map(folder => onDisk.list(folder)));
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--', ...patterns];
  const listed = await runGit({ args, cwd: checkout, programs, maxBytes: maxListedBytes });
  const untracked = listed.stdout.toString('utf8').split('\0');
  // what the settings name counts although .gitignore may hide it from git
  const named = [...files, 'constitution.md', ...below.flat(), ...untracked].filter(Boolean);
  const paths = new Set([...(await git.workTree.differing()), ...named].filter(isTrusted));
  const committed = await git.listTreeEntries(git.fullTree);
  const found: FileChange[] = [];
  for (const path of [...paths].sort()) {
    const entry = committed.get(path);
    if (entry?.mode === '160000') continue;
    const bytes = entry === undefined ? undefined : await git.read(entry.oid);
    const before =
      entry === undefined || bytes === undefined ? undefined : { mode: entry.mode, bytes };
    const change = { path, before, after: stateOnDisk(checkout, path, before) };
    if (differs(change)) found.push(change);
  }
  return found;
}

/** The state of a file in the work tree; `before` itself where only line ends or the right to execute differ. */
function stateOnDisk(
  top: string,
  path: string,
  before: FileState | undefined,
): FileState | undefined {
  const full = join(top, path);
  const found = lstatSync(full, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(readlinkSync(full)) };
  if (!found?.isFile()) return undefined;
  const bytes = readFileSync(full);
  if (before !== undefined && before.mode !== '120000' && isSame(Buffer.from(before.bytes), bytes))
    return before;
  return { mode: '100644', bytes };
}

function isSame(committed: Buffer, now: Buffer): boolean {
  return thisPlatform.convertsFiles ? isCheckedOut(committed, now) : committed.equals(now);
}
