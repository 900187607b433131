/** The checkout's tracked files against the base commit, and those of a view set to a tree. */
import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { runGit } from './git-process.ts';

/** Runs git on the private directory. */
export type GitRunner = (
  args: readonly string[],
  more?: Partial<Parameters<typeof runGit>[0]>,
) => ReturnType<typeof runGit>;

/** A folder that holds a view, as git is to see it. */
export interface ViewPlace {
  readonly folder: string;
  /** Path of the view's own index; made when it is not there. */
  readonly index: string;
  /** Argv in front of git, for a folder that shows its files to such programs only. */
  readonly enter: readonly string[];
}

export interface WorkTree {
  /** Tracked files of the base that the checkout does not hold as committed. Found once. */
  differing(): Promise<readonly string[]>;
  /** Makes the tracked files of a view what a tree holds; the paths that differed. */
  restore(view: ViewPlace, tree: string): Promise<readonly string[]>;
  /** Writes an index of a tree that knows which files of the checkout are unchanged. */
  writeIndex(path: string, tree: string): Promise<void>;
}

export interface WorkTreeOptions {
  readonly git: GitRunner;
  readonly read: (name: string) => Promise<Buffer | null>;
  readonly checkout: string;
  /** The checkout's own index: what it knows of unchanged files saves reading them. */
  readonly checkoutIndex: string;
  readonly tree: string;
  /** What the base holds; listed once for the whole run. */
  readonly entries: () => Promise<ReadonlyMap<string, { mode: string; oid: string }>>;
  readonly scratch: string;
}

export function openWorkTree(options: WorkTreeOptions): WorkTree {
  let known: Promise<Known> | null = null;
  let different: Promise<readonly string[]> | null = null;
  const know = () => {
    known ??= compare(options);
    return known;
  };
  return {
    differing: () => {
      different ??= glance(options).then(seen => seen ?? know().then(k => k.differing));
      return different;
    },
    writeIndex: async (path, tree) => {
      await startIndex(options, path);
      if (tree !== options.tree) await merge(options, path, tree);
    },
    restore: async (view, tree) => restore(options, { ...view, tree, known: await know() }),
  };
}

interface Known {
  readonly differing: readonly string[];
  /** Index of the base that knows the size and time of every file that is as committed. */
  readonly index: string;
}

const lfsPointer = Buffer.from('version https://git-lfs.github.com/spec/');
// submodules are no files of this repository, and looking into one would run its configuration
const own = '--ignore-submodules';

/** More files than this are read by `compare`, which knows the unchanged ones among them. */
const maxUnsure = 1000;

/**
 * What the checkout's own index says, without a copy of it: files that are not surely as committed.
 * @returns null when there is no such index, or it says too little.
 */
async function glance(options: WorkTreeOptions): Promise<readonly string[] | null> {
  const { git, checkout, checkoutIndex, tree } = options;
  if (!existsSync(checkoutIndex)) return null;
  const place = { env: { GIT_INDEX_FILE: checkoutIndex }, cwd: checkout };
  try {
    const inCheckout = ['--work-tree', checkout];
    const [changed, unseen] = await Promise.all([
      git([...inCheckout, 'diff-index', own, '--no-renames', '--name-only', '-z', tree], place),
      git(['ls-files', '-v', '-z'], place),
    ]);
    const unsure = new Set([...records(changed.stdout), ...flaggedFiles(unseen.stdout)]);
    return unsure.size > maxUnsure ? null : await committed(options, [...unsure]);
  } catch {
    return null; // in the middle of a merge, or of another kind
  }
}

/** Files that an index was told not to look at: sparse, assumed unchanged. */
function flaggedFiles(listing: Buffer): readonly string[] {
  return records(listing)
    .filter(r => !r.startsWith('H '))
    .map(r => r.slice(2));
}

/** Those paths that the base has, pointers of large files aside: the checkout holds their content. */
async function committed(
  { read, tree }: Pick<WorkTreeOptions, 'read' | 'tree'>,
  paths: readonly string[],
) {
  const found: string[] = [];
  for (const path of paths) {
    const base = await read(`${tree}:${path}`);
    if (base !== null && !base.subarray(0, lfsPointer.length).equals(lfsPointer)) found.push(path);
  }
  return found;
}

async function compare(options: WorkTreeOptions): Promise<Known> {
  const { git, checkout, tree } = options;
  const index = join(options.scratch, 'checkout.index');
  const env = { GIT_INDEX_FILE: index };
  await startIndex(options, index);
  const place = { env, cwd: checkout };
  const inCheckout = ['--work-tree', checkout];
  await git([...inCheckout, 'update-index', '-q', own, '--refresh'], { ...place, accept: [1] });
  const differing = await differingFiles(options, { args: inCheckout, place, tree });
  await forget(options, index, differing);
  return { differing, index };
}

/** The base's index, with what the checkout's own knows of files where it can be used. */
async function startIndex(options: WorkTreeOptions, index: string) {
  const { git, checkoutIndex, tree } = options;
  const env = { GIT_INDEX_FILE: index };
  if (existsSync(checkoutIndex)) {
    try {
      copyIndex(checkoutIndex, index);
      await merge(options, index, tree);
      const listed = await git(['ls-files', '-v', '-z'], { env });
      await forget(options, index, flaggedFiles(listed.stdout));
      return;
    } catch {
      rmSync(index, { force: true }); // in the middle of a merge, split, or of another kind
    }
  }
  await git(['read-tree', tree], { env });
}

/**
 * Sets an index to a tree; it keeps what it knows of unchanged files, so that they are not all
 * read again. It keeps its time too: git reads a file that is not older than the index, since it
 * may have changed within that second, and a merge does not look at files.
 */
async function merge({ git }: WorkTreeOptions, index: string, tree: string): Promise<void> {
  const { mtimeMs } = statSync(index);
  await git(['read-tree', '-m', tree], { env: { GIT_INDEX_FILE: index } });
  setTime(index, mtimeMs);
}

/** A copy with the time of its source, for the same reason. */
function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  setTime(to, statSync(from).mtimeMs);
}

function setTime(path: string, mtimeMs: number): void {
  const seconds = Math.floor(mtimeMs) / 1000;
  utimesSync(path, seconds, seconds);
}

/** Makes an index forget size and time of some files, so that they are read when next compared. */
async function forget(
  { git, entries }: WorkTreeOptions,
  index: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const base = await entries();
  const lines = paths.flatMap(path => {
    const entry = base.get(path);
    return entry === undefined ? [] : [`${entry.mode} ${entry.oid}\t${path}\0`];
  });
  const env = { GIT_INDEX_FILE: index };
  await git(['update-index', '-z', '--index-info'], { env, input: lines.join('') });
}

interface Compared {
  readonly args: readonly string[];
  readonly place: Partial<Parameters<typeof runGit>[0]>;
  readonly tree: string;
}

async function differingFiles({ git, read }: WorkTreeOptions, { args, place, tree }: Compared) {
  const listed = await git([...args, 'diff-files', own, '--name-only', '-z'], place);
  return committed({ read, tree }, records(listed.stdout));
}

interface Restore extends ViewPlace {
  readonly tree: string;
  readonly known: Known;
}

async function restore(options: WorkTreeOptions, view: Restore): Promise<readonly string[]> {
  const { git } = options;
  if (!existsSync(view.index)) copyIndex(view.known.index, view.index);
  const env = { GIT_INDEX_FILE: view.index };
  const place = { env, cwd: view.folder, enter: view.enter };
  // a view's files have the checkout's sizes and times, but not its inodes; a command that forges
  // times deceives its own view, never the fresh one of a verification
  const inView = ['-c', 'core.checkStat=minimal', '--work-tree', view.folder];
  await merge(options, view.index, view.tree);
  await git([...inView, 'update-index', '-q', own, '--refresh'], { ...place, accept: [1] });
  const dirty = await differingFiles(options, { args: inView, place, tree: view.tree });
  if (dirty.length === 0) return [];
  const input = dirty.map(p => `${p}\0`).join('');
  await git([...inView, 'checkout-index', '-f', '-z', '--stdin'], { ...place, input });
  return dirty;
}

function records(listing: Buffer): readonly string[] {
  return listing
    .toString('utf8')
    .split('\0')
    .filter(r => r !== '');
}
