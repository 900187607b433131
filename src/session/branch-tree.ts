/** A branch with work trees of its own in Photon's folder: the user's checkout is never touched. */
import { basename, join } from 'node:path';
import { PhotonError } from '../codes.ts';
import { readTreeChanges } from './branch-changes.ts';
import type { FileChange, FileState } from './change.ts';
import { type GitPlace, runGit } from './git-process.ts';
import { importCommit } from './import-commit.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** A commit of a branch. */
export interface Tip {
  readonly commit: string;
  readonly message: string;
}

/** A work tree of the branch, and what it stands at. */
export interface BranchPlace {
  /** Absolute path. */
  readonly folder: string;
  readonly commit: string;
}

export interface BranchTree {
  tip(): Promise<string>;
  /** Tree of a commit. */
  treeOf(commit: string): Promise<string>;
  /** Commits that the branch has and `commit` has not, newest first. */
  since(commit: string): Promise<readonly Tip[]>;
  /** Paths of all files of the tip. */
  paths(): Promise<readonly string[]>;
  /** A file of the tip; null when there is none. */
  find(path: string): Promise<FileState | null>;
  /** What the tip has otherwise than a commit. */
  changesSince(commit: string): Promise<readonly FileChange[]>;
  /** Adds a commit; its id. Work trees stay where they are. */
  commit(message: string, changes: readonly FileChange[], now: number): Promise<string>;
  /** Work tree number `slot`, brought to the tip. */
  place(slot: number): Promise<BranchPlace>;
  /** Removes the work trees; the branch stays. */
  close(): Promise<void>;
}

export interface BranchTreeOptions {
  /** Full name of the ref. */
  readonly ref: string;
  /** True: the branch is set to HEAD, whatever it was. */
  readonly anew?: boolean;
  /** Where work trees are made, a number added; their last part names them, and earlier ones of that name go. */
  readonly folder: string;
}

/** True when the repository has the ref. */
export async function hasRef(place: GitPlace, ref: string): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', ref];
  return (await runGit({ ...place, args, accept: [0, 1, 128] })).exitCode === 0;
}

/**
 * Opens a branch, made at HEAD where there is none. One at a time: the caller holds a lock.
 * @throws PhotonError `WORKFLOW_BRANCH` when it is checked out somewhere, `GIT`.
 */
export async function openBranchTree(
  place: GitPlace,
  { ref, folder, anew = false }: BranchTreeOptions,
): Promise<BranchTree> {
  const quiet = await withoutFilters(place);
  const git = async (args: readonly string[], cwd = place.cwd) =>
    (await runGit({ ...place, cwd, args: [...quiet, ...args] })).stdout.toString('utf8');
  await clearPlace(git, { ref, name: basename(folder) });
  if (anew) await git(['update-ref', ref, 'HEAD^{commit}']);
  else if (!(await hasRef(place, ref))) await git(['update-ref', ref, 'HEAD^{commit}', '']);
  const tip = async () => (await git(['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  const made = new Set<string>();
  const alone = oneAtATime();
  return {
    tip,
    treeOf: async commit => (await git(['rev-parse', '--verify', `${commit}^{tree}`])).trim(),
    since: async commit =>
      parseLog(await git(['log', '-z', '--format=%H%x00%B', ref, `^${commit}`])),
    paths: async () =>
      (await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', ref]))
        .split('\0')
        .filter(p => p !== ''),
    find: async path => {
      const listed = await git(['ls-tree', '-z', '--full-tree', ref, '--', path]);
      const mode = /^(100644|100755|120000) blob /.exec(listed)?.[1];
      if (mode === undefined) return null;
      const { stdout } = await runGit({ ...place, args: ['cat-file', 'blob', `${ref}:${path}`] });
      return { mode: mode as FileState['mode'], bytes: stdout };
    },
    changesSince: async commit => readTreeChanges(place, { from: commit, to: await tip() }),
    commit: (message, changes, now) =>
      alone(async () => importCommit(place, { ref, from: await tip(), message, changes, now })),
    // git's own list of work trees cannot be added to by two at once
    place: slot =>
      alone(async () => {
        const at = `${folder}-${slot}`;
        const commit = await tip();
        if (made.has(at)) await git(['reset', '--quiet', '--hard', commit], at);
        else await git(['worktree', 'add', '--quiet', '--detach', at, commit]);
        made.add(at);
        return { folder: at, commit };
      }),
    close: async () => {
      // what cannot be removed now is removed when the branch is opened again
      for (const at of made) await git(['worktree', 'remove', '--force', at]).catch(() => '');
    },
  };
}

function parseLog(log: string): readonly Tip[] {
  const fields = log.split('\0');
  return fields.flatMap((commit, i) =>
    i % 2 === 0 && commit !== '' ? [{ commit, message: fields[i + 1] ?? '' }] : [],
  );
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
    const own = basename(path).replace(/-\d+$/, '') === name;
    if (i > 0 && own) await git(['worktree', 'remove', '--force', path]);
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

/** Where the work trees of a branch are made, below a folder for results; they are none (`photon-*` are). */
export function branchTreePlace(out: string, name: string): string {
  return join(out, `work-tree-${name}`);
}
