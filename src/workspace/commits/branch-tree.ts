/** A branch with separate work trees in a folder of Photon; the user's checkout is never touched. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { oneAtATime } from '../../base/once.ts';
import type { FileChange, FileState } from '../files/change.ts';
import { removeFolder } from '../files/remove-folder.ts';
import { GitObjects, listTree, renderChange } from '../git/git-objects.ts';
import { type GitContext, type GitRunner, runGit } from '../git/git-process.ts';
import { makePrivateDir } from '../git/private-dir.ts';
import { changesBetween } from './past-commits.ts';

/** A commit of a branch. */
export interface Tip {
  readonly commit: string;
  readonly message: string;
}

/** A work tree, and the commit that it is at. */
export interface BranchCheckout {
  /** Absolute path. */
  readonly folder: string;
  readonly commit: string;
}

/** What a work tree holds: a commit of the branch, and changes over it that the branch does not get. */
type PlaceContent = Omit<CommitText, 'ref'>;

export interface BranchTree {
  tip(): Promise<string>;
  /** The tree of a commit. */
  readTree(commit: string): Promise<string>;
  /** Commits of the branch that are not ancestors of `commit`, newest first. */
  since(commit: string): Promise<readonly Tip[]>;
  /** Paths of all files at the tip. */
  paths(): Promise<readonly string[]>;
  /** A file of a commit, by default of the tip; undefined when it does not exist. */
  find(path: string, commit?: string): Promise<FileState | undefined>;
  /** The changes from a commit to the tip. */
  changesSince(commit: string): Promise<readonly FileChange[]>;
  /** Adds a commit and returns its id. Work trees do not move. */
  commit(message: string, changes: readonly FileChange[], now: number): Promise<string>;
  /** Resets work tree number `slot`. Changes over the commit become a commit that no branch holds. */
  place(slot: number, content: PlaceContent): Promise<BranchCheckout>;
  /** Removes the work trees; the branch stays. */
  close(): Promise<void>;
}

interface BranchTreeOptions {
  /** Full name of the ref. */
  readonly ref: string;
  /** True: the branch is reset to HEAD. */
  readonly anew?: boolean;
  /** Path prefix of the work trees; a number is added. Earlier ones at this path are removed. */
  readonly folder: string;
}

/** True when the repository has the ref. */
export async function hasRef(place: GitContext, ref: string): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', ref];
  return (await runGit({ ...place, args, accept: [0, 1, 128] })).exitCode === 0;
}

/**
 * Opens a branch, and creates it at HEAD when it does not exist. The caller must hold a lock.
 * @throws PhotonError `WORKFLOW_BRANCH` when it is checked out somewhere, `GIT`.
 */
export async function openBranchTree(
  place: GitContext,
  { ref, folder, anew = false }: BranchTreeOptions,
): Promise<BranchTree> {
  const git = async (args: readonly string[]) =>
    (await runGit({ ...place, args })).stdout.toString('utf8');
  await refuseCheckedOut(git, ref);
  if (anew) await git(['update-ref', ref, 'HEAD^{commit}']);
  else if (!(await hasRef(place, ref))) await git(['update-ref', ref, 'HEAD^{commit}', '']);
  const tip = async () => (await git(['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  const found = await findObjects(git);
  // the configuration of the repository can name programs, so reading objects uses a private git directory
  const own: GitContext = { ...place, cwd: `${folder}-git` };
  removeFolder(own.cwd);
  makePrivateDir(own.cwd, found);
  const read = async (args: readonly string[]) =>
    (await runGit({ ...own, args })).stdout.toString('utf8');
  /** Numbers of the work trees. */
  const made = new Set<number>();
  const treeAt = (slot: number) => `${folder}-${slot}`;
  const serially = oneAtATime();
  const slotRef = (slot: number) =>
    `${ref.replace(/^refs\/(heads\/)?/, 'refs/photon/places/')}/${slot}`;
  const release = (slot: number) => git(['update-ref', '-d', slotRef(slot)]);
  /** Makes the commit of a work tree; a ref of its own keeps git from removing it meanwhile. */
  const holdChanges = async (slot: number, content: PlaceContent): Promise<string | undefined> => {
    await release(slot);
    if (content.changes.length === 0) return undefined;
    return importCommit(place, { ref: slotRef(slot), ...content });
  };
  return {
    tip,
    readTree: async commit => (await read(['rev-parse', '--verify', `${commit}^{tree}`])).trim(),
    since: async commit =>
      parseLog(await read(['log', '-z', '--format=%H%x00%B', await tip(), `^${commit}`])),
    paths: async () => [...(await listTree(runnerIn(own), await tip())).keys()],
    find: async (path, of) => {
      const commit = of ?? (await tip());
      const listed = await read(['ls-tree', '-z', '--full-tree', commit, '--', path]);
      const mode = /^(100644|100755|120000) blob /.exec(listed)?.[1];
      if (mode === undefined) return undefined;
      const { stdout } = await runGit({ ...own, args: ['cat-file', 'blob', `${commit}:${path}`] });
      return { mode: mode as FileState['mode'], bytes: stdout };
    },
    changesSince: async commit => readTreeChanges(own, { from: commit, to: await tip() }),
    commit: (message, changes, now) =>
      serially(async () => importCommit(place, { ref, from: await tip(), message, changes, now })),
    place: (slot, content) =>
      serially(async () => {
        const at = treeAt(slot);
        const commit = (await holdChanges(slot, content)) ?? content.from;
        const gitDir = join(at, '.git');
        if (!made.has(slot)) {
          removeFolder(at); // left by an interrupted run
          makePrivateDir(gitDir, found);
          writeFileSync(join(gitDir, 'HEAD'), `${commit}\n`);
        }
        made.add(slot);
        const args = ['--git-dir', gitDir, '--work-tree', at, 'reset', '--quiet', '--hard', commit];
        await runGit({ ...place, cwd: at, args });
        return { folder: at, commit };
      }),
    close: async () => {
      for (const slot of made) await release(slot);
      for (const at of [own.cwd, ...[...made].map(treeAt)]) removeFolder(at);
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

const runnerIn =
  (place: GitContext): GitRunner =>
  (args, more) =>
    runGit({ ...place, args, ...more });

/** Refuses a branch that is checked out in a work tree of the user. */
async function refuseCheckedOut(git: Git, ref: string): Promise<void> {
  for (const entry of (await git(['worktree', 'list', '--porcelain', '-z'])).split('\0\0')) {
    const lines = entry.split('\0');
    const path = lines.find(l => l.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    if (lines.includes(`branch ${ref}`))
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `${ref.slice('refs/heads/'.length)} is checked out in ${path}. Switch to another branch there.`,
      );
  }
}

/** The folder and format of the repository's objects. */
async function findObjects(git: Git): Promise<Parameters<typeof makePrivateDir>[1]> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-object-format'];
  const [commonDir = '', objectFormat = ''] = (await git(args)).split('\n');
  return { commonDir, objectFormat, attributes: '' };
}

/** Path prefix for the work trees of a branch, in the folder for results. Run folders there are `photon-*`. */
export function branchTreePlace(out: string, name: string): string {
  return join(out, `work-tree-${name}`);
}

/**
 * Every path that differs, in order; a rename counts as two changes.
 * @throws PhotonError `GIT`, also for a file whose content the repository lacks.
 */
async function readTreeChanges(
  place: GitContext,
  trees: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[]> {
  const objects = new GitObjects(place);
  const read = async (name: string) => {
    const bytes = await objects.read(name);
    if (bytes === undefined) throw new PhotonError('GIT', `object ${name} is missing`);
    return bytes;
  };
  const listTreeEntries = (id: string) => listTree(runnerIn(place), id);
  try {
    const changes = await changesBetween({ listTreeEntries, read }, trees);
    return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    objects.close();
  }
}

/** One commit, which `git fast-import` writes: objects and ref in one step, without touching files. */
interface CommitText {
  /** Full name of the ref to update. */
  readonly ref: string;
  /** The parent commit. */
  readonly from: string;
  readonly message: string;
  readonly changes: readonly FileChange[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Creates the commit and moves the ref to it, unless the ref has moved to another commit. Runs no hook
 * and no filter, and does not change the index or any file.
 * @returns the id of the commit.
 * @throws PhotonError `GIT`.
 */
async function importCommit(place: GitContext, commit: CommitText): Promise<string> {
  const { ref, from, message, changes, now } = commit;
  const head = [
    `commit ${ref}`,
    `committer Photon <photon@localhost> ${Math.floor(now / 1000)} +0000`,
    `data ${Buffer.byteLength(message)}`,
    message,
    `from ${from}`,
    '',
  ].join('\n');
  const input = Buffer.concat([
    Buffer.from(head),
    ...changes.map(renderChange),
    Buffer.from('\ndone\n'),
  ]);
  await runGit({ ...place, args: ['fast-import', '--quiet', '--done'], input });
  const { stdout } = await runGit({ ...place, args: ['rev-parse', '--verify', ref] });
  return stdout.toString('utf8').trim();
}
