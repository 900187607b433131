/** A branch with a work tree of its own in Photon's folder: the user's checkout is never touched. */
import { basename, join } from 'node:path';
import { PhotonError } from '../codes.ts';
import type { FileChange } from './change.ts';
import { type GitPlace, runGit } from './git-process.ts';
import { importCommit } from './import-commit.ts';

/** The last commit of a branch. */
export interface Tip {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export interface BranchTree {
  /** Absolute path of the work tree; it stands at the tip. */
  readonly folder: string;
  tip(): Promise<Tip>;
  /** Paths of all files of the tip. */
  paths(): Promise<readonly string[]>;
  /** Adds a commit and brings the work tree to it; its id. */
  commit(message: string, changes: readonly FileChange[], now: number): Promise<string>;
  /** Removes the work tree; the branch stays. */
  close(): Promise<void>;
}

export interface BranchTreeOptions {
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Where the work tree is made; its last part names it, and an earlier one of that name goes. */
  readonly folder: string;
}

/** True when the repository has the branch. */
export async function hasBranch(place: GitPlace, branch: string): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  return (await runGit({ ...place, args, accept: [0, 1, 128] })).exitCode === 0;
}

/**
 * Opens a branch, made at HEAD where there is none. One at a time: the caller holds a lock.
 * @throws PhotonError `WORKFLOW_BRANCH` when it is checked out somewhere, `GIT`.
 */
export async function openBranchTree(
  place: GitPlace,
  { branch, folder }: BranchTreeOptions,
): Promise<BranchTree> {
  const ref = `refs/heads/${branch}`;
  const quiet = await withoutFilters(place);
  const git = async (args: readonly string[], cwd = place.cwd) =>
    (await runGit({ ...place, cwd, args: [...quiet, ...args] })).stdout.toString('utf8');
  await clearPlace(git, { ref, name: basename(folder) });
  if (!(await hasBranch(place, branch))) await git(['update-ref', ref, 'HEAD^{commit}', '']);
  await git(['worktree', 'add', '--quiet', '--detach', folder, ref]);
  const tip = async (): Promise<Tip> => {
    const [commit = '', parents = '', message = ''] = (
      await git(['log', '-1', '--format=%H%x00%P%x00%B', ref, '--'])
    ).split('\0');
    return { commit, parents: parents.split(' ').filter(p => p !== ''), message };
  };
  return {
    folder,
    tip,
    paths: async () =>
      (await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', ref]))
        .split('\0')
        .filter(p => p !== ''),
    commit: async (message, changes, now) => {
      const from = (await tip()).commit;
      const made = await importCommit(place, { ref, from, message, changes, now });
      await git(['reset', '--quiet', '--hard', made], folder);
      return made;
    },
    close: async () => {
      // what cannot be removed now is removed when the branch is opened again
      await git(['worktree', 'remove', '--force', folder]).catch(() => '');
    },
  };
}

type Git = (args: readonly string[]) => Promise<string>;

/** Takes away what a run that was cut off has left; refuses a branch that a person works on. */
async function clearPlace(git: Git, { ref, name }: { ref: string; name: string }): Promise<void> {
  await git(['worktree', 'prune']);
  const listed = (await git(['worktree', 'list', '--porcelain', '-z'])).split('\0\0');
  for (const [i, entry] of listed.entries()) {
    const lines = entry.split('\0');
    const path = lines.find(l => l.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    if (lines.includes(`branch ${ref}`))
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `${ref.slice('refs/heads/'.length)} is checked out in ${path}; switch to another branch there.`,
      );
    // the first entry is the repository's own
    if (i > 0 && basename(path) === name) await git(['worktree', 'remove', '--force', path]);
  }
}

/** Options that take every filter of the repository's configuration out of play: files as committed. */
async function withoutFilters(place: GitPlace): Promise<readonly string[]> {
  const args = ['config', '--name-only', '-z', '--get-regexp', '^filter\\.'];
  const { stdout } = await runGit({ ...place, args, accept: [0, 1] });
  const names = new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .flatMap(key => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []),
  );
  const off = [...names].flatMap(n => [
    ...[`filter.${n}.smudge=`, `filter.${n}.clean=`, `filter.${n}.process=`],
    `filter.${n}.required=false`,
  ]);
  return [...off, 'core.autocrlf=false'].flatMap(option => ['-c', option]);
}

/** Where the work tree of a branch is made, below a folder for results. */
export function branchTreePlace(out: string, name: string): string {
  return join(out, `photon-workflow-${name}`);
}
