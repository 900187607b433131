/** What a work tree holds besides its commit: changes that a run does not see, and the first file that belongs to no commit. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import { thisPlatform } from '../../process/this-platform.ts';
import { isCheckedOut } from '../files/line-ends.ts';
import { isRealFolder, listAncestors } from '../files/locate.ts';
import type { Git, GitOptions } from '../git/git.ts';
import { runGit } from '../git/git-process.ts';

/** A checkout, and what in it belongs to no commit. */
export interface UnsavedWork {
  /** Top folder of the work tree. */
  readonly top: string;
  readonly commit: string;
  /** Empty if HEAD is detached. */
  readonly branch: string;
  /** Tracked files that differ from the commit. */
  readonly changed: readonly string[];
  /** Untracked files and folders that no .gitignore names. */
  readonly untracked: readonly string[];
}

/**
 * Reads it from an open checkout.
 * @throws PhotonError `GIT`.
 */
export async function readUnsaved(
  git: Git,
  options: Pick<GitOptions, 'programs' | 'platform'>,
): Promise<UnsavedWork> {
  const { convertsFiles } = options.platform ?? thisPlatform;
  const isSame = (base: Buffer, now: Buffer) =>
    convertsFiles ? isCheckedOut(base, now) : base.equals(now);
  const { checkout: top, commit, branch } = git;
  const args = [
    'ls-files',
    '-z',
    '--others',
    '--exclude-standard',
    '--directory',
    '--no-empty-directory',
  ];
  const listed = await runGit({
    args,
    cwd: top,
    programs: options.programs,
    maxBytes: 1_000_000,
  });
  const untracked = listed.stdout.toString('utf8').split('\0').filter(Boolean);
  const changed: string[] = [];
  // the index names files that were only written again, too
  for (const path of await git.workTree.differing()) {
    const base = await git.read(`${git.tree}:${path}`);
    const now = readWorkFile(top, path);
    if (base === undefined || now === undefined || !isSame(base, now)) changed.push(path);
  }
  return { top, commit, branch, changed, untracked };
}

/** Bytes of a file, or the target of a link; undefined if there is neither. */
function readWorkFile(top: string, path: string): Buffer | undefined {
  const full = join(top, path);
  const found = lstatSync(full, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return Buffer.from(readlinkSync(full));
  return found?.isFile() ? readFileSync(full) : undefined;
}

/** The first path of the checkout that is not of the base and that views show; undefined if there is none. */
export async function findUntracked(git: Git): Promise<string | undefined> {
  const tracked = await git.listTreeEntries(git.tree);
  const folders = new Set([...tracked.keys()].flatMap(path => listAncestors(`/${path}`)));
  const unshown = new Set(await git.unshown());
  const open = [''];
  for (const folder of open) {
    for (const entry of readdirSync(join(git.checkout, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (path === '.git' || unshown.has(path)) continue;
      if (entry.isDirectory() && folders.has(`/${path}`)) open.push(path);
      else if (!tracked.has(path)) return path;
    }
  }
  return undefined;
}

/** The first of these paths that a layer over the checkout changes or hides; undefined if there is none. */
export function findChanged(layer: string, paths: Iterable<string>): string | undefined {
  const known = new Map<string, boolean>();
  const isFolder = (path: string) => {
    const found = known.get(path) ?? isRealFolder(join(layer, path));
    known.set(path, found);
    return found;
  };
  for (const path of paths) {
    const above = listAncestors(`/${path}`).toReversed();
    const end = above.find(folder => !isFolder(folder)) ?? `/${path}`;
    if (lstatSync(join(layer, end), { throwIfNoEntry: false }) !== undefined) return path;
  }
  return undefined;
}
