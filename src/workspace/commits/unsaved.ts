/** What a work tree holds besides its commit: changes that a run does not see, and the first file that belongs to no commit. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { FileState } from '../files/change.ts';
import { isSameText } from '../files/line-ends.ts';
import { isRealFolder, listAncestors } from '../files/locate.ts';
import type { Git, GitOptions } from '../git/git.ts';
import { type GitContext, runGit, splitRecords } from '../git/git-process.ts';

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
  const { checkout: top, commit, branch } = git;
  const place = { cwd: top, programs: options.programs };
  const untracked = await listUntracked(place, ['--directory', '--no-empty-directory']);
  const changed: string[] = [];
  // the index names files that were only written again, too
  for (const path of await git.workTree.differing()) {
    const base = await git.read(`${git.tree}:${path}`);
    const now = readWorkFile(top, path);
    if (base === undefined || now === undefined || !isSameText(base, now.bytes, options.platform))
      changed.push(path);
  }
  return { top, commit, branch, changed, untracked };
}

/** Untracked paths that no .gitignore names, at most a megabyte of them. @param more arguments of `git ls-files`. */
export async function listUntracked(
  place: GitContext,
  more: readonly string[],
): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', ...more];
  const { stdout } = await runGit({ ...place, args, maxBytes: 1_000_000 });
  return splitRecords(stdout);
}

/** A file of a work tree without its right to be executed, or a link; undefined if there is neither. */
export function readWorkFile(top: string, path: string): FileState | undefined {
  const full = join(top, path);
  const found = lstatSync(full, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(readlinkSync(full)) };
  return found?.isFile() ? { mode: '100644', bytes: readFileSync(full) } : undefined;
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
