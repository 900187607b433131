/** A view: the checkout with given changes, as a folder for commands to run in. */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import type { FileChange, FileState } from '../files/change.ts';
import { textWithCrlf } from '../files/line-ends.ts';
import { isBelow } from '../files/locate.ts';
import { removeFolder, removeFolderAside } from '../files/remove-folder.ts';
import type { Git } from '../git/git.ts';
import type { TakenBack, WorkTree } from '../git/work-tree.ts';
import { foundBelow, type WatchedFolder } from './file-effects.ts';
import { copyFolder, placeFile } from './fill-view.ts';
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
  /** How to mount; undefined means that views are copies. */
  readonly overlay: Overlay | undefined;
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
  /** The same, after a look at what is taken back; see `WorkTree`. */
  takeBack(tree: string, look: Parameters<WorkTree['takeBack']>[2]): Promise<TakenBack>;
  /** Those of these submodules of a tree that the view has otherwise; see `WorkTree`. */
  findMoved(tree: string, modules: readonly string[]): Promise<readonly string[]>;
  /** Writes these states into the view; `undefined` removes the path. */
  place(states: ReadonlyMap<string, FileState | undefined>): Promise<void>;
  /**
   * Opens a view that begins with all that this view holds now, home and `/tmp` included, and these changes.
   * Nothing written there reaches this view. No command may run in this view any more, and it must stay open.
   * @throws PhotonError `DISK` when there is no room.
   */
  fork(changes: readonly FileChange[]): Promise<View>;
  close(): Promise<void>;
}

/** What the views of one run are made of. */
interface ViewSource {
  readonly git: Git;
  /** A folder of the run. Views, and what they share, lie there and are removed with it. */
  readonly scratch: string;
  readonly programs: Programs;
}

/**
 * Opens a view of the base commit with these changes, and the untracked files of the checkout. Its `.git` is
 * a repository of one commit. An overlay takes space for the differences only. A copy takes the space of the
 * checkout, but shares blocks with it if the file system can.
 * @throws PhotonError `DISK` when there is no room, `GIT`.
 */
type OpenView = (support: ViewSupport, changes: readonly FileChange[]) => Promise<View>;

/**
 * Opens the views of one run. They share the layers between the checkout and a view, which are made for the first
 * view and end with the run: another run over the same checkout has a scratch folder, and layers, of its own.
 */
export function openViews(source: ViewSource): OpenView {
  let base: BaseLayers | undefined;
  const layersFor = (mounting: Mounting) => {
    if (base?.overlay !== mounting.overlay) {
      const made: BaseLayers = { overlay: mounting.overlay, layers: makeBaseLayers(mounting) };
      base = made;
      made.layers.catch(() => {
        if (base === made) base = undefined; // the next view tries again
      });
    }
    return base.layers;
  };
  return (support, changes) => {
    const options = { ...source, support };
    const { overlay } = support;
    if (overlay === undefined)
      return openIn(options, changes, folder => copyView(options, folder, undefined));
    const mounting = { ...options, overlay };
    return openIn(options, changes, async folder =>
      mountView(mounting, folder, belowFirst(mounting, await layersFor(mounting))),
    );
  };
}

interface ViewOptions extends ViewSource {
  readonly support: ViewSupport;
}

/** Opens a view in a new folder, and places the changes. */
async function openIn(
  { scratch }: ViewOptions,
  changes: readonly FileChange[],
  open: (folder: string) => Promise<View>,
): Promise<View> {
  const folder = mkdtempSync(join(scratch, 'view-'));
  try {
    const view = await open(folder);
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

/** @param source the folder of the view to copy; undefined for the checkout. */
async function copyView(
  options: ViewOptions,
  folder: string,
  source: string | undefined,
): Promise<View> {
  const { git, programs, support } = options;
  const path = join(folder, 'copy');
  mkdirSync(path);
  const place = { folder: path, index: join(folder, 'index'), enter: [] };
  if (source === undefined) {
    await copyFolder({ from: git.checkout, programs }, path);
    for (const name of await git.unshown()) placeFile(path, { path: name, state: undefined });
    await git.workTree.restore(place, git.tree);
  } else await copyFolder({ from: join(source, 'copy'), programs }, path);
  const repository = await git.viewRepository();
  if (repository !== undefined) cpSync(repository, join(path, '.git'), { recursive: true });
  const folders = ownFolders(support, folder);
  for (const [i, { from }] of source === undefined ? [] : folders.entries())
    await copyFolder({ from: ownFolder(source ?? '', i), programs }, from);
  return {
    path,
    enter: [],
    folders,
    watched: [{ folder: path, shownAs: '', lower: [] }, ...watchedOwn(options.support, folder)],
    written: path,
    ...tracking(git, place, folder),
    place: async states => {
      const inOrder = [...(await asCheckout(git, states))].sort(
        ([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined),
      );
      for (const [name, state] of inOrder) placeFile(path, { path: name, state });
    },
    fork: changes => openIn(options, changes, to => copyView(options, to, folder)),
  };
}

/** What git does with a view, whose files lie in `folder`, and its end. */
function tracking(
  { workTree }: Git,
  place: Parameters<WorkTree['restore']>[0],
  folder: string,
): Pick<View, 'sync' | 'takeBack' | 'findMoved' | 'close'> {
  return {
    sync: tree => workTree.restore(place, tree),
    takeBack: (tree, look) => workTree.takeBack(place, tree, look),
    findMoved: (tree, modules) => workTree.findMoved(place, tree, modules),
    // what stays is removed with the scratch space, or reported there
    close: async () => void (await removeFolderAside(folder)),
  };
}

/** The layers below a view, topmost first. */
interface Below {
  readonly checkout: readonly string[];
  /** For each cache of the machine. */
  readonly caches: readonly (readonly string[])[];
  /** For home and `/tmp`; empty when they begin empty. */
  readonly own: readonly (readonly string[])[];
}

type Mounting = ViewOptions & { readonly overlay: Overlay };

/** The layers below a view that is no fork. */
function belowFirst({ git, support }: Mounting, base: readonly string[]): Below {
  return {
    checkout: [...base, git.checkout],
    caches: support.caches.map(cache => [cache.from]),
    own: [],
  };
}

async function mountView(options: Mounting, folder: string, below: Below): Promise<View> {
  const { git, overlay, support } = options;
  const layers = makeLayers(join(folder, 'checkout'), below.checkout);
  const caches = below.caches.map((lower, i) => makeLayers(join(folder, `cache-${i}`), lower));
  const plainOwn = ownFolders(support, folder);
  // home and /tmp of a fork are merged, too; what they hold at first is their upper layer
  const own = below.own.map((lower, i) => makeOwnLayers(folder, i, lower));
  const enter = overlay.enter([layers, ...caches, ...own]);
  const place = { folder: layers.merged, index: join(folder, 'index'), enter };
  return {
    path: layers.merged,
    enter,
    folders: [
      ...plainOwn.map(({ from, at }, i) => ({ from: own[i]?.merged ?? from, at })),
      ...caches.map((cache, i) => ({ from: cache.merged, at: support.caches[i]?.at ?? '' })),
    ],
    watched: [
      { folder: layers.upper, shownAs: '', lower: layers.lower },
      ...watchedOwn(support, folder).map((w, i) => ({ ...w, lower: below.own[i] ?? [] })),
      ...caches.map((cache, i) => ({
        folder: cache.upper,
        shownAs: `${support.caches[i]?.at}/`,
        lower: cache.lower,
      })),
    ],
    written: layers.upper,
    ...tracking(git, place, folder),
    place: async states => placeAbove({ layers, overlay }, await asCheckout(git, states)),
    fork: changes => {
      const over: Below = {
        checkout: [layers.upper, ...layers.lower],
        caches: caches.map(cache => [cache.upper, ...cache.lower]),
        own: plainOwn.map(({ from }, i) => [from, ...(below.own[i] ?? [])]),
      };
      return openIn(options, changes, to => mountView(options, to, over));
    },
  };
}

/** The layers that the views of a run share, and how they were made. */
interface BaseLayers {
  readonly overlay: Overlay;
  readonly layers: Promise<readonly string[]>;
}

/**
 * The layers between the checkout and every view of a run: the files of the base that the checkout has changed,
 * the hidden paths, and the repository of one commit.
 */
async function makeBaseLayers({ git, overlay, scratch }: Mounting): Promise<readonly string[]> {
  const folder = mkdtempSync(join(scratch, 'base-'));
  const layers = makeLayers(folder, [git.checkout]);
  const repository = await git.viewRepository();
  if (existsSync(join(git.checkout, '.git'))) await overlay.hide([join(layers.upper, '.git')]);
  const unshown = (await git.unshown()).map(path => [path, undefined] as const);
  const states = new Map([...(await asCheckout(git, await committedStates(git))), ...unshown]);
  await placeAbove({ layers, overlay }, states);
  if (repository === undefined) return [layers.upper];
  // a layer of its own: below it, the whiteout ends the search, so that nothing of the checkout's shows through
  const above = join(folder, 'repository');
  cpSync(repository, join(above, '.git'), { recursive: true });
  return [above, layers.upper];
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

/** Layers of the home folder (0) or the `/tmp` (1) of a view over what an earlier view holds there. */
function makeOwnLayers(folder: string, i: number, lower: readonly string[]): Layers {
  const upper = ownFolder(folder, i);
  const layers = { lower, upper, work: `${upper}-work`, merged: `${upper}-merged` };
  for (const path of [layers.work, layers.merged]) mkdirSync(path);
  return layers;
}

/** The home folder and the /tmp of a view. */
function watchedOwn({ home }: ViewSupport, folder: string): readonly WatchedFolder[] {
  const own = [...new Set([home, '/tmp'])];
  return own.map((at, i) => ({
    folder: ownFolder(folder, i),
    shownAs: at === '/tmp' ? '/tmp/' : '~/',
    lower: [],
  }));
}

/** The base state of each file that the checkout has changed. */
async function committedStates(git: Git): Promise<ReadonlyMap<string, FileState | undefined>> {
  const [differing, base] = await Promise.all([
    git.workTree.differing(),
    git.listTreeEntries(git.tree),
  ]);
  const states = differing.map(async path => {
    const entry = base.get(path);
    const bytes = entry === undefined ? undefined : await git.read(entry.oid);
    const state = entry && bytes ? { mode: entry.mode, bytes } : undefined;
    return [path, state] as const;
  });
  return new Map(await Promise.all(states));
}

/** Files with the line ends that a checkout gives to them. */
async function asCheckout(
  git: Git,
  states: ReadonlyMap<string, FileState | undefined>,
): Promise<ReadonlyMap<string, FileState | undefined>> {
  const crlf = await git.findCrlf(git.fullTree, [...states.keys()]);
  if (crlf.size === 0) return states;
  return new Map(
    [...states].map(([path, state]) => {
      const isConverted = state?.mode.startsWith('100') === true && crlf.has(path);
      return [path, isConverted ? { ...state, bytes: textWithCrlf(state.bytes) } : state];
    }),
  );
}

/** Writes states into the upper folder, while the view is not mounted. */
async function placeAbove(
  { layers, overlay }: { readonly layers: Layers; readonly overlay: Overlay },
  states: ReadonlyMap<string, FileState | undefined>,
): Promise<void> {
  const below = (path: string) => foundBelow(layers.lower, path);
  const getFolderMode = (folder: string) => {
    const found = below(folder);
    return found?.isDirectory() ? found.mode & 0o777 : 0o755;
  };
  // removals first, because a folder can become a file
  const gone = [...states].filter(([, state]) => state === undefined).map(([path]) => path);
  const shown = gone.filter(path => below(path) !== undefined);
  for (const path of gone) placeFile(layers.upper, { path, state: undefined });
  for (const path of shown) {
    // placing a file creates its folders; the whiteout then takes the place of the file
    placeFile(layers.upper, { path, state: emptyFile }, getFolderMode);
    placeFile(layers.upper, { path, state: undefined });
  }
  await overlay.hide(shown.map(path => join(layers.upper, path)));
  for (const [path, state] of states)
    if (state !== undefined) placeFile(layers.upper, { path, state }, getFolderMode);
}

const emptyFile: FileState = { mode: '100644', bytes: Buffer.alloc(0) };

/** The folder of a view that is shown as home (0) or as /tmp (1). */
function ownFolder(folder: string, i: number): string {
  return join(folder, `own-${i}`);
}
