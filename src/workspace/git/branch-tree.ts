/** A branch with work trees of its own in Photon's folder: the user's checkout is never touched. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../codes.ts';
import { oneAtATime } from '../../process/one-at-a-time.ts';
import type { FileChange, FileState } from '../files/change.ts';
import { removeFolder } from '../files/place-file.ts';
import { readTreeChanges } from './branch-changes.ts';
import { makePrivateDir } from './git.ts';
import { type GitPlace, runGit } from './git-process.ts';
import { importCommit } from './import-commit.ts';

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
  /** Where work trees are made, a number added; earlier ones there go. */
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
  const git = async (args: readonly string[]) =>
    (await runGit({ ...place, args })).stdout.toString('utf8');
  await refuseCheckedOut(git, ref);
  if (anew) await git(['update-ref', ref, 'HEAD^{commit}']);
  else if (!(await hasRef(place, ref))) await git(['update-ref', ref, 'HEAD^{commit}', '']);
  const tip = async () => (await git(['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  const found = await findObjects(git);
  // the repository's own configuration may name programs; what reads objects or writes files has another
  const own: GitPlace = { ...place, cwd: `${folder}-git` };
  removeFolder(own.cwd);
  makePrivateDir(own.cwd, found);
  const read = async (args: readonly string[]) =>
    (await runGit({ ...own, args })).stdout.toString('utf8');
  const made = new Set<string>();
  const alone = oneAtATime();
  return {
    tip,
    treeOf: async commit => (await read(['rev-parse', '--verify', `${commit}^{tree}`])).trim(),
    since: async commit =>
      parseLog(await read(['log', '-z', '--format=%H%x00%B', await tip(), `^${commit}`])),
    paths: async () =>
      (await read(['ls-tree', '-r', '-z', '--name-only', '--full-tree', await tip()]))
        .split('\0')
        .filter(p => p !== ''),
    find: async path => {
      const commit = await tip();
      const listed = await read(['ls-tree', '-z', '--full-tree', commit, '--', path]);
      const mode = /^(100644|100755|120000) blob /.exec(listed)?.[1];
      if (mode === undefined) return null;
      const { stdout } = await runGit({ ...own, args: ['cat-file', 'blob', `${commit}:${path}`] });
      return { mode: mode as FileState['mode'], bytes: stdout };
    },
    changesSince: async commit => readTreeChanges(own, { from: commit, to: await tip() }),
    commit: (message, changes, now) =>
      alone(async () => importCommit(place, { ref, from: await tip(), message, changes, now })),
    place: slot =>
      alone(async () => {
        const at = `${folder}-${slot}`;
        const commit = await tip();
        const gitDir = join(at, '.git');
        if (!made.has(at)) {
          removeFolder(at); // a run that was cut off left it
          makePrivateDir(gitDir, found);
          writeFileSync(join(gitDir, 'HEAD'), `${commit}\n`);
        }
        made.add(at);
        const args = ['--git-dir', gitDir, '--work-tree', at, 'reset', '--quiet', '--hard', commit];
        await runGit({ ...place, cwd: at, args });
        return { folder: at, commit };
      }),
    close: async () => {
      for (const at of [own.cwd, ...made]) removeFolder(at);
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

/** Refuses a branch that a person works on. */
async function refuseCheckedOut(git: Git, ref: string): Promise<void> {
  for (const entry of (await git(['worktree', 'list', '--porcelain', '-z'])).split('\0\0')) {
    const lines = entry.split('\0');
    const path = lines.find(l => l.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    if (lines.includes(`branch ${ref}`))
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `${ref.slice('refs/heads/'.length)} is checked out in ${path}; switch to another branch there.`,
      );
  }
}

/** Where the objects of the repository are, and of which format. */
async function findObjects(git: Git): Promise<Parameters<typeof makePrivateDir>[1]> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-object-format'];
  const [commonDir = '', objectFormat = ''] = (await git(args)).split('\n');
  return { commonDir, objectFormat };
}

/** Where the work trees of a branch are made, below a folder for results; they are none (`photon-*` are). */
export function branchTreePlace(out: string, name: string): string {
  return join(out, `work-tree-${name}`);
}
