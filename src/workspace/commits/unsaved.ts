/** What a work tree holds besides its commit: changes that a run does not see. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../base/once.ts';
import type { FileState } from '../files/change.ts';
import type { Git, GitOptions } from '../git/git.ts';
import { type GitContext, runGit, splitRecords } from '../git/git-process.ts';

/** A checkout, and what in it belongs to no commit. */
export interface UnsavedWork {
  /** Top folder of the work tree. */
  readonly top: string;
  readonly commit: string;
  /** Empty if HEAD is detached. */
  readonly branch: string;
  /** Tracked files that differ from the commit, without those that a sparse checkout leaves out. */
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
  { programs }: Pick<GitOptions, 'programs'>,
): Promise<UnsavedWork> {
  const { checkout: top, commit, branch } = git;
  const place = { cwd: top, programs };
  const untracked = await listUntracked(place, ['--directory', '--no-empty-directory']);
  const changed: string[] = [];
  const sparse = once(() => listSparse(place));
  // the index names files that were only written again, too
  for (const path of await git.workTree.differing()) {
    const base = await git.read(`${git.tree}:${path}`);
    const now = readWorkFile(top, path);
    if (now === undefined && (await sparse()).has(path)) continue;
    if (base === undefined || now === undefined || !base.equals(now.bytes)) changed.push(path);
  }
  return { top, commit, branch, changed, untracked };
}

/** The tracked paths that the index leaves out of the work tree. */
async function listSparse(place: GitContext): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit({
    ...place,
    args: ['ls-files', '-t', '-z'],
    maxBytes: 100_000_000,
  });
  const left = splitRecords(stdout).filter(record => record.startsWith('S '));
  return new Set(left.map(record => record.slice(2)));
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
