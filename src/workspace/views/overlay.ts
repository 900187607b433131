/** Merged views with overlayfs: the unchanged checkout is the lower layer, and writes go to the upper layer. */
import { existsSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { removeFolder } from '../files/place-file.ts';

/** The folders of one merged view; all except the lowest belong to Photon. */
export interface Layers {
  /** The lower layers, topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** Empty folder that the kernel needs, on the file system of `upper`. */
  readonly work: string;
  /** Where a program started through `enter` sees the merged files. */
  readonly merged: string;
}

export interface Overlay {
  /**
   * Arguments that mount merged folders only for the program named after them. The program starts in the
   * first of the folders.
   */
  enter(merges: readonly Layers[]): readonly string[];
  /** Hides paths: a whiteout in the upper folder makes a path of `lower` invisible. */
  hide(paths: readonly string[]): Promise<void>;
  /** Copies a folder to a new name in the merged folder; it is opaque, so no lower layer shows through. */
  copyInto(merge: Layers, from: string, name: string): Promise<void>;
}

export interface OverlaySearch {
  readonly checkout: string;
  readonly scratch: string;
  readonly programs: Programs;
}

/** Mounts in a separate mount namespace, then becomes the program. */
const mountScript =
  'mount=$1; shift; first=$2; while [ "$1" != -- ]; do "$mount" -t overlay overlay -o "$1" "$2" || exit 125; shift 2; done; cd "$first" && shift && exec "$@"';
const markScript = 'mknod=$1; shift; for path do "$mknod" -m 0 -- "$path" c 0 0 || exit 1; done';

type Tools = Readonly<Record<'unshare' | 'sh' | 'cp' | 'mount' | 'mknod', string>>;

/**
 * Finds a way of mounting that works on this machine and file system. Null when none works: user namespaces
 * are not available, the kernel is older than 5.11, or the file system cannot be a layer.
 */
export async function findOverlay(search: OverlaySearch): Promise<Overlay | null> {
  const tools = pickPrograms(search.programs, ['unshare', 'sh', 'cp', 'mount', 'mknod']);
  if (process.platform !== 'linux' || tools === null) return null;
  // option values of overlayfs cannot be quoted
  if (!canBeLayer(search.checkout) || !canBeLayer(search.scratch)) return null;
  const own = [tools.unshare, '--mount', '--propagation', 'private'];
  const asUser = [tools.unshare, '--user', '--map-root-user', ...own.slice(1)];
  for (const way of process.getuid?.() === 0 ? [own, asUser] : [asUser]) {
    const overlay = overlayBy({ ...tools, way }, join(search.scratch, 'whiteout'));
    if (await merges(overlay, { lower: search.checkout, scratch: search.scratch, sh: tools.sh }))
      return overlay;
  }
  return null;
}

/** The folders of the machine that can be merged, too. */
export async function mergeable<T extends { readonly from: string }>(
  overlay: Overlay,
  { scratch, programs }: Pick<OverlaySearch, 'scratch' | 'programs'>,
  folders: readonly T[],
): Promise<readonly T[]> {
  const { sh = '' } = programs.paths;
  const can = await Promise.all(
    folders.map(({ from }) => canBeLayer(from) && merges(overlay, { lower: from, scratch, sh })),
  );
  return folders.filter((_folder, i) => can[i]);
}

/** Creates the folders of one merged view inside `folder`. */
export function makeLayers(folder: string, lower: readonly string[]): Layers {
  mkdirSync(folder, { recursive: true });
  const [upper, work, merged] = ['upper', 'work', 'merged'].map(name => join(folder, name));
  const layers = { lower, upper: upper ?? '', work: work ?? '', merged: merged ?? '' };
  for (const path of [layers.upper, layers.work, layers.merged]) mkdirSync(path);
  return layers;
}

/** @param mark path of a whiteout that is created once and hard-linked to each hidden path. */
function overlayBy(
  { way, ...tools }: Tools & { readonly way: readonly string[] },
  mark: string,
): Overlay {
  const enter: Overlay['enter'] = merges => {
    const mounts = merges.flatMap(({ lower, upper, work, merged }) => [
      `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work},userxattr`,
      merged,
    ]);
    return [...way, tools.sh, '-c', mountScript, 'sh', tools.mount, ...mounts, '--'];
  };
  return {
    enter,
    copyInto: async (merge, from, name) => {
      const end = await start([...enter([merge]), tools.cp, '-R', '--', from, name]);
      if (end.exitCode !== 0) throw new Error(`The folder cannot be copied: ${end.output}`);
    },
    hide: async paths => {
      // another view can be creating it; if no whiteout can be created, the calls below report why
      if (paths.length > 0 && !existsSync(mark)) await makeMarks(tools, [mark]).catch(() => {});
      await makeMarks(
        tools,
        paths.filter(path => !links(mark, path)),
      );
    },
  };
}

/** Links the whiteout to a path. False when that fails, for example at the file system's limit of links. */
function links(mark: string, path: string): boolean {
  try {
    linkSync(mark, path);
    return true;
  } catch {
    return false;
  }
}

async function makeMarks(tools: Tools, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const end = await start([tools.sh, '-c', markScript, 'sh', tools.mknod, ...paths]);
  if (end.exitCode !== 0) throw new Error(`The path cannot be hidden: ${end.output}`);
}

/** True for a path that can be used in mount options. */
export function canBeLayer(path: string): boolean {
  return !/[,:\\"]/.test(path);
}

const trial = `
[ ! -e .git ] && echo x > photon-trial && mkdir photon-folder && echo y > photon-folder/file &&
rm -r photon-folder && mkdir photon-folder && [ ! -e photon-folder/file ]`;

/** Tries it: checks that a path is hidden, and that the merged folder accepts writes and deletions. */
async function merges(
  overlay: Overlay,
  { lower, scratch, sh }: { readonly lower: string; readonly scratch: string; readonly sh: string },
): Promise<boolean> {
  const folder = mkdtempSync(join(scratch, 'merge-'));
  try {
    const layers = makeLayers(folder, [lower]);
    await overlay.hide([join(layers.upper, '.git')]);
    const end = await start([...overlay.enter([layers]), sh, '-c', trial]);
    return end.exitCode === 0 && existsSync(join(layers.upper, 'photon-trial'));
  } catch {
    return false; // this file system has no whiteouts
  } finally {
    removeFolder(folder);
  }
}

function start(argv: readonly string[]) {
  return runProcess({
    argv,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    timeoutMs: 20_000,
    maxOutputBytes: 4_000,
    signal: new AbortController().signal,
  });
}
