/** Compares the tracked files of the checkout with the base commit, and restores those of a view. */
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../../base/once.ts';
import type { FileMode, FileState } from '../files/change.ts';
import type { ListConversions } from './attributes.ts';
import { type GitCommand, type GitRunner, splitRecords } from './git-process.ts';

export interface WorkTree {
  /** Tracked files that differ between the checkout and the base. Computed once. */
  differing(): Promise<readonly string[]>;
  /** Restores the tracked files of a view to a tree. Returns the paths that differed. */
  restore(view: ViewFolder, tree: string): Promise<readonly string[]>;
  /**
   * The same, after a look at what is taken back, and at the untracked files among `created` that git does not ignore.
   * Nothing is looked at when there are more than `maxFiles`.
   */
  takeBack(
    view: ViewFolder,
    tree: string,
    look: { readonly created: readonly string[]; readonly maxFiles: number },
  ): Promise<TakenBack>;
  /**
   * Those of these submodules of a tree that a view has at another commit, staged or checked out, or not at all; all if
   * that cannot be read. Nothing of a submodule is run, and none of its settings is applied.
   */
  findMoved(view: ViewFolder, tree: string, modules: readonly string[]): Promise<readonly string[]>;
  /** Writes an index of a tree that records which files of the checkout are unchanged. */
  writeIndex(path: string, tree: string): Promise<void>;
}

/** What a view held before its tracked files were restored. */
export interface TakenBack {
  /** The tracked files that differed. */
  readonly paths: readonly string[];
  /** The states of these and of the created files, except those that the view did not have; undefined when not known. */
  readonly written: ReadonlyMap<string, FileState> | undefined;
}

interface WorkTreeOptions {
  readonly git: GitRunner;
  readonly read: (name: string) => Promise<Buffer | undefined>;
  readonly listConversions: ListConversions;
  readonly checkout: string;
  /** The checkout's index; its record of unchanged files saves reading them. */
  readonly checkoutIndex: string;
  readonly tree: string;
  /** The entries of the base, listed once for the whole run. */
  readonly entries: () => Promise<ReadonlyMap<string, { mode: string; oid: string }>>;
  readonly scratch: string;
}

export function openWorkTree(options: WorkTreeOptions): WorkTree {
  const know = memoize(() => compare(options));
  return {
    differing: async () => (await know()).differing,
    writeIndex: async (path, tree) => {
      copyIndex((await know()).index, path);
      if (tree !== options.tree) await merge(options, path, tree);
    },
    findMoved: (view, tree, modules) =>
      findMovedModules(options.git, { ...view, tree, modules }).catch(() => modules),
    restore: async (view, tree) => restore(options, { ...view, tree, known: await know() }),
    takeBack: async (view, tree, { created, maxFiles }) => {
      let written: TakenBack['written'];
      const look = async (dirty: readonly string[]) => {
        try {
          const paths = [...dirty, ...(await findUnignored(options.git, view, created))];
          const isFew = paths.length > 0 && paths.length <= maxFiles;
          written = isFew ? await readViewFiles(options.git, view, paths) : undefined;
        } catch {
          written = undefined; // a folder in the place of a file, or a file that cannot be read
        }
      };
      const paths = await restore(options, { ...view, tree, known: await know(), look });
      return { paths, written };
    },
  };
}

interface CheckoutState {
  readonly differing: readonly string[];
  /** Files that a filter made in the checkout: git cannot make their content again. */
  readonly made: ReadonlySet<string>;
  /** An index of the base with the size and time of every unchanged file. */
  readonly index: string;
}

const lfsPointer = Buffer.from('version https://git-lfs.github.com/spec/');
// submodules are not files of this repository, and git would apply their configuration
const own = '--ignore-submodules';

/** Files that the index is configured to ignore: sparse or assumed unchanged. */
async function flaggedFiles(
  { git }: WorkTreeOptions,
  place: Partial<GitCommand>,
): Promise<readonly string[]> {
  const { stdout } = await git(['ls-files', '-v', '-z'], place);
  return splitRecords(stdout)
    .filter(r => !r.startsWith('H '))
    .map(r => r.slice(2));
}

/** The paths that exist in the base, without those that a filter makes: the checkout holds the content of these files. */
async function listCommitted(
  { read, tree, listConversions }: Pick<WorkTreeOptions, 'read' | 'tree' | 'listConversions'>,
  paths: readonly string[],
) {
  const found: string[] = [];
  const conversions = await listConversions(tree, paths);
  for (const path of paths) {
    if (conversions.get(path)?.includes('filter') === true) continue;
    const base = await read(`${tree}:${path}`);
    if (base !== undefined && !base.subarray(0, lfsPointer.length).equals(lfsPointer))
      found.push(path);
  }
  return found;
}

async function compare(options: WorkTreeOptions): Promise<CheckoutState> {
  const { git, checkout } = options;
  const index = join(options.scratch, 'checkout.index');
  const env = { GIT_INDEX_FILE: index };
  await startIndex(options, index);
  const changed = await changedFiles(git, ['--work-tree', checkout], { env, cwd: checkout });
  const differing = await listCommitted(options, changed);
  await forget(options, index, differing);
  const made = new Set(changed).difference(new Set(differing));
  return { differing, made, index };
}

/** Creates an index of the base, with the file records of the checkout's index when it is usable. */
async function startIndex(options: WorkTreeOptions, index: string) {
  const { git, checkoutIndex, tree } = options;
  const env = { GIT_INDEX_FILE: index };
  if (existsSync(checkoutIndex)) {
    try {
      copyIndex(checkoutIndex, index);
      await merge(options, index, tree);
      await forget(options, index, await flaggedFiles(options, { env }));
      return;
    } catch {
      rmSync(index, { force: true }); // a merge is in progress, or the index is split or has another format
    }
  }
  await git(['read-tree', tree], { env });
}

/**
 * Sets an index to a tree and keeps its record of unchanged files, so that git does not read them all
 * again. It also keeps the time of the index file: git rereads files that are not older than the index, because
 * they could have changed in the same second, and this merge does not read files (`-i`): without the option, git would look for
 * them in its own folder, where `config` and `HEAD` are other files.
 */
async function merge({ git }: WorkTreeOptions, index: string, tree: string): Promise<void> {
  const { mtimeMs } = statSync(index);
  await git(['read-tree', '-m', '-i', tree], { env: { GIT_INDEX_FILE: index } });
  setTime(index, mtimeMs);
}

/** Copies an index with its modification time, for the same reason. */
function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  setTime(to, statSync(from).mtimeMs);
}

function setTime(path: string, mtimeMs: number): void {
  const seconds = Math.floor(mtimeMs) / 1000;
  utimesSync(path, seconds, seconds);
}

/** Removes the size and time of some files from an index, so that git reads them in the next comparison. */
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

/** Lists the tracked files whose content or mode is not that of an index, which git renews where only times differ. */
async function changedFiles(
  git: GitRunner,
  before: readonly string[],
  place: Partial<GitCommand>,
): Promise<readonly string[]> {
  const { stdout } = await git(
    [...before, 'diff', own, '--no-renames', '--no-ext-diff', '--name-only', '-z'],
    { ...place, env: { ...place.env, GIT_OPTIONAL_LOCKS: '1' } },
  );
  return splitRecords(stdout);
}

interface Restore extends ViewFolder {
  readonly tree: string;
  readonly known: CheckoutState;
  /** Called with the paths that differ, before they are restored. */
  readonly look?: ((dirty: readonly string[]) => Promise<void>) | undefined;
}

async function restore(options: WorkTreeOptions, view: Restore): Promise<readonly string[]> {
  const { git } = options;
  if (!existsSync(view.index)) copyIndex(view.known.index, view.index);
  const env = { GIT_INDEX_FILE: view.index };
  const place = { env, cwd: view.folder, enter: view.enter };
  // the files of a view have the sizes and times of the checkout, but other inodes; a command that forges
  // times affects only this view, never the new view of a verification
  const inView = ['-c', 'core.checkStat=minimal', '--work-tree', view.folder];
  await merge(options, view.index, view.tree);
  const changed = await changedFiles(git, inView, place);
  const dirty = changed.filter(path => !view.known.made.has(path));
  await view.look?.(dirty);
  if (dirty.length === 0) return [];
  const input = dirty.map(p => `${p}\0`).join('');
  await git([...inView, 'checkout-index', '-f', '-z', '--stdin'], { ...place, input });
  return dirty;
}

/** The folder of a view, as git sees it. */
interface ViewFolder {
  readonly folder: string;
  /** Path of the index of the view; created when it does not exist. */
  readonly index: string;
  /** Arguments in front of git, for a folder whose files only programs started that way can see. */
  readonly enter: readonly string[];
}

/**
 * The files of a view at these paths. A path at which the view has no file is not in the answer.
 * @throws PhotonError `GIT` when git cannot read one of them, such as a folder in the place of a file.
 */
async function readViewFiles(
  git: GitRunner,
  { folder, index: viewIndex, enter }: ViewFolder,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileState>> {
  const index = `${viewIndex}-written`;
  // in the private directory, git would renew the times of objects that the checkout has
  const objects = `${index}-objects`;
  const env = { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects };
  mkdirSync(objects);
  try {
    const input = paths.map(path => `${path}\0`).join('');
    const add = ['update-index', '-z', '--add', '--remove', '--stdin'];
    await git(['--work-tree', folder, ...add], { env, cwd: folder, enter, input });
    const { stdout: listed } = await git(['ls-files', '--stage', '-z'], { env });
    const files = splitRecords(listed).flatMap(record => {
      const [, mode, oid, path] = /^(\d+) ([0-9a-f]+) 0\t(.+)$/s.exec(record) ?? [];
      return mode && oid && path ? [{ path, mode: mode as FileMode, oid }] : [];
    });
    const ids = files.map(({ oid }) => `${oid}\n`).join('');
    const { stdout } = await git(['cat-file', '--batch'], { env, input: ids });
    let at = 0;
    return new Map(
      files.map(({ path, mode }) => {
        const start = stdout.indexOf(10, at) + 1;
        const size = Number(stdout.toString('utf8', at, start).split(' ')[2]);
        at = start + size + 1;
        return [path, { mode, bytes: stdout.subarray(start, start + size) }];
      }),
    );
  } finally {
    rmSync(index, { force: true });
    rmSync(objects, { recursive: true, force: true });
  }
}

/** @throws PhotonError `GIT` when the repository of the view cannot be read. */
async function findMovedModules(
  git: GitRunner,
  {
    folder,
    enter,
    ...at
  }: ViewFolder & { readonly tree: string; readonly modules: readonly string[] },
): Promise<readonly string[]> {
  if (at.modules.length === 0) return [];
  const compare = ['diff-index', '--ignore-submodules=dirty', '--no-renames', '--name-only', '-z'];
  const { stdout } = await git(
    ['--literal-pathspecs', '--work-tree', folder, ...compare, at.tree, '--', ...at.modules],
    {
      env: { GIT_INDEX_FILE: join(folder, '.git', 'index') },
      cwd: folder,
      enter,
      timeoutMs: 10_000,
    },
  );
  return splitRecords(stdout);
}

/** Which of these untracked paths of a view git does not ignore. */
async function findUnignored(
  git: GitRunner,
  { folder, index, enter }: ViewFolder,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const list = ['ls-files', '--others', '--exclude-standard', '-z', '--'];
  const { stdout } = await git(['--literal-pathspecs', '--work-tree', folder, ...list, ...paths], {
    env: { GIT_INDEX_FILE: index },
    cwd: folder,
    enter,
  });
  return splitRecords(stdout);
}
