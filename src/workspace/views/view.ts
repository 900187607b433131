/** A view: the checkout with given changes, as a folder for commands to run in. */
import {
  chmodSync,
  cpSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../codes.ts';
import type { Programs } from '../../process/programs.ts';
import type { FileChange, FileState } from '../files/change.ts';
import { isBelow } from '../files/locate.ts';
import { placeFile, removeFolder, removeFolderAside } from '../files/place-file.ts';
import type { Git } from '../git/git.ts';
import { copyCheckout } from './copy-checkout.ts';
import { foundBelow, type WatchedFolder } from './file-effects.ts';
import { type Layers, makeLayers, type Overlay } from './overlay.ts';

/** A folder whose merged files are visible to programs started through `enter`. */
export interface ViewMount {
  readonly path: string;
  /** Arguments to put in front of a program; empty when every program can see the files. */
  readonly enter: readonly string[];
  /** Other folders of the view, shown at paths of the machine: home, /tmp, tool caches. */
  readonly folders: readonly { readonly from: string; readonly at: string }[];
  /** The folders that hold what commands write; absent when that cannot be known. */
  readonly watched?: readonly WatchedFolder[];
}

/** What the machine provides for views. */
export interface ViewSupport {
  /** How to mount; null means that views are copies. */
  readonly overlay: Overlay | null;
  /** The home folder of commands. */
  readonly home: string;
  /** Tool folders below the home folder, which commands can read and write. */
  readonly caches: readonly { readonly at: string; readonly from: string }[];
  /** Folders in home and `/tmp` that must exist, because something is mounted below them. */
  readonly heldFolders: readonly string[];
}

export interface View extends ViewMount {
  /** The folder with everything that commands wrote into the view; for a copy, the whole copy. */
  readonly written: string;
  /** Restores every tracked file to a tree. Returns the paths that differed. */
  sync(tree: string): Promise<readonly string[]>;
  /** Writes these states into the view; `null` removes the path. */
  place(states: ReadonlyMap<string, FileState | null>): Promise<void>;
  /** Files that commands wrote to the home folder or to `.git`; at most 20 paths. */
  unexpectedWrites(): readonly string[];
  close(): Promise<void>;
}

export interface ViewOptions {
  readonly git: Git;
  readonly scratch: string;
  readonly programs: Programs;
  readonly support: ViewSupport;
}

/**
 * Opens a view of the base commit with these changes, and the untracked files of the checkout. Its `.git` is
 * a repository of one commit. An overlay takes space for the differences only. A copy takes the space of the
 * checkout, but shares blocks with it if the file system can.
 * @throws PhotonError `DISK` when there is no room, `GIT`.
 */
export async function openView(
  options: ViewOptions,
  changes: readonly FileChange[],
): Promise<View> {
  const folder = mkdtempSync(join(options.scratch, 'view-'));
  try {
    const { overlay } = options.support;
    const view = await (overlay === null
      ? copied(options, folder)
      : mounted({ ...options, overlay }, folder));
    await view.place(new Map(changes.map(c => [c.path, c.after])));
    return view;
  } catch (error) {
    removeFolder(folder);
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof PhotonError)
      throw error;
    const message = `A view of the checkout cannot be created: ${(error as Error).message}`;
    throw new PhotonError('DISK', message, { cause: error });
  }
}

async function copied(options: ViewOptions, folder: string): Promise<View> {
  const { git, programs } = options;
  const path = join(folder, 'copy');
  mkdirSync(path);
  await copyCheckout({ checkout: git.checkout, programs }, path);
  const place = { folder: path, index: join(folder, 'index'), enter: [] };
  await git.workTree.restore(place, git.tree);
  for (const name of await git.unshown()) placeFile(path, { path: name, state: null });
  const repository = await git.viewRepository();
  if (repository !== null) cpSync(repository, join(path, '.git'), { recursive: true });
  return {
    path,
    enter: [],
    folders: ownFolders(options.support, folder),
    watched: [{ folder: path, shownAs: '', lower: [] }, ...watchedOwn(options.support, folder)],
    written: path,
    sync: tree => git.workTree.restore(place, tree),
    place: async states => {
      const inOrder = [...states].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null));
      for (const [name, state] of inOrder) placeFile(path, { path: name, state });
    },
    unexpectedWrites: () => unexpectedWritesOf(folder, path, repository),
    close: () => removeFolderAside(folder),
  };
}

async function mounted(
  options: ViewOptions & { readonly overlay: Overlay },
  folder: string,
): Promise<View> {
  const { git, overlay } = options;
  const layers = makeLayers(join(folder, 'checkout'), [await baseLayer(options), git.checkout]);
  const caches = options.support.caches.map((cache, i) => ({
    at: cache.at,
    layers: makeLayers(join(folder, `cache-${i}`), [cache.from]),
  }));
  const enter = overlay.enter([layers, ...caches.map(c => c.layers)]);
  const place = { folder: layers.merged, index: join(folder, 'index'), enter };
  const repository = await git.viewRepository();
  return {
    path: layers.merged,
    enter,
    folders: [
      ...ownFolders(options.support, folder),
      ...caches.map(c => ({ from: c.layers.merged, at: c.at })),
    ],
    watched: [
      { folder: layers.upper, shownAs: '', lower: layers.lower },
      ...watchedOwn(options.support, folder),
      ...caches.map(c => ({
        folder: c.layers.upper,
        shownAs: `${c.at}/`,
        lower: c.layers.lower,
      })),
    ],
    written: layers.upper,
    sync: tree => git.workTree.restore(place, tree),
    place: states => placeAbove({ layers, overlay }, states),
    unexpectedWrites: () => unexpectedWritesOf(folder, layers.upper, repository),
    close: () => removeFolderAside(folder),
  };
}

const baseLayers = new WeakMap<Git, Promise<string>>();

/**
 * The layer between the checkout and every view of a run: the files of the base that the checkout has changed,
 * the hidden paths, and the repository of one commit. Created once.
 */
function baseLayer(options: ViewOptions & { readonly overlay: Overlay }): Promise<string> {
  const { git } = options;
  const known = baseLayers.get(git);
  if (known !== undefined) return known;
  const made = makeBaseLayer(options);
  baseLayers.set(git, made);
  made.catch(() => baseLayers.delete(git)); // the next view tries again
  return made;
}

async function makeBaseLayer({ git, overlay, scratch }: Parameters<typeof baseLayer>[0]) {
  const layers = makeLayers(mkdtempSync(join(scratch, 'base-')), [git.checkout]);
  const repository = await git.viewRepository();
  if (existsSync(join(git.checkout, '.git'))) await overlay.hide([join(layers.upper, '.git')]);
  const unshown = (await git.unshown()).map(path => [path, null] as const);
  const states = new Map([...(await committedStates(git)), ...unshown]);
  await placeAbove({ layers, overlay }, states);
  if (repository !== null) await overlay.copyInto(layers, repository, '.git');
  return layers.upper;
}

/** A home folder and a /tmp that last as long as the view, so that tests find what the set-up left there. */
function ownFolders({ home, heldFolders }: ViewSupport, folder: string): ViewMount['folders'] {
  const own = [...new Set([home, '/tmp'])];
  return own.map((at, i) => {
    const from = ownFolder(folder, i);
    mkdirSync(from);
    for (const held of heldFolders.filter(h => own.find(o => isBelow(h, o)) === at))
      mkdirSync(join(from, held.slice(at.length)), { recursive: true });
    if (at === '/tmp') chmodSync(from, 0o1777);
    return { from, at };
  });
}

/** The home folder and the /tmp of a view; both begin empty. */
function watchedOwn({ home }: ViewSupport, folder: string): readonly WatchedFolder[] {
  const own = [...new Set([home, '/tmp'])];
  return own.map((at, i) => ({
    folder: ownFolder(folder, i),
    shownAs: at === '/tmp' ? '/tmp/' : '~/',
    lower: [],
  }));
}

/** The base state of each file that the checkout has changed. */
async function committedStates(git: Git): Promise<ReadonlyMap<string, FileState | null>> {
  const [differing, base] = await Promise.all([git.workTree.differing(), git.entriesOf(git.tree)]);
  const states = differing.map(async path => {
    const entry = base.get(path);
    const bytes = entry === undefined ? null : await git.read(entry.oid);
    const state = entry && bytes ? { mode: entry.mode, bytes } : null;
    return [path, state] as const;
  });
  return new Map(await Promise.all(states));
}

/** Writes states into the upper folder, while the view is not mounted. */
async function placeAbove(
  { layers, overlay }: { readonly layers: Layers; readonly overlay: Overlay },
  states: ReadonlyMap<string, FileState | null>,
): Promise<void> {
  const below = (path: string) => foundBelow(layers.lower, path);
  const modeOf = (folder: string) => {
    const found = below(folder);
    return found?.isDirectory() ? found.mode & 0o777 : 0o755;
  };
  // removals first, because a folder can become a file
  const gone = [...states].filter(([, state]) => state === null).map(([path]) => path);
  const shown = gone.filter(path => below(path) !== null);
  for (const path of gone) placeFile(layers.upper, { path, state: null });
  for (const path of shown) {
    // placing a file creates its folders; the whiteout then takes the place of the file
    placeFile(layers.upper, { path, state: emptyFile }, modeOf);
    placeFile(layers.upper, { path, state: null });
  }
  await overlay.hide(shown.map(path => join(layers.upper, path)));
  for (const [path, state] of states)
    if (state !== null) placeFile(layers.upper, { path, state }, modeOf);
}

const emptyFile: FileState = { mode: '100644', bytes: Buffer.alloc(0) };

const maxUnexpectedWrites = 20;

/** The folder of a view that is shown as home (0) or as /tmp (1). */
function ownFolder(folder: string, i: number): string {
  return join(folder, `own-${i}`);
}

function unexpectedWritesOf(
  folder: string,
  written: string,
  repository: string | null,
): readonly string[] {
  const home = filesBelow(ownFolder(folder, 0), '~');
  const isOurs = (path: string) => repository !== null && existsSync(join(repository, path));
  const git = filesBelow(join(written, '.git'), '.git', isOurs);
  return [...home, ...git].slice(0, maxUnexpectedWrites);
}

/** Everything except folders below a folder, with `shown` as its name; at most twenty paths. */
function filesBelow(
  folder: string,
  shown: string,
  isOurs: (path: string) => boolean = () => false,
): readonly string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const found: string[] = [];
  const open = [folder];
  for (const each of open) {
    for (const entry of readdirOr(each)) {
      const path = join(each, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (!isOurs(path.slice(folder.length + 1)))
        found.push(`${shown}${path.slice(folder.length)}`);
      if (found.length >= maxUnexpectedWrites || open.length > 1000) return found;
    }
  }
  return found;
}

function readdirOr(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // the command made the folder unreadable
  }
}
