/** Merged views by overlayfs: the checkout below, unchanged; what a run and its commands write above. */
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from './place-file.ts';
import { runProcess } from './process.ts';

/** Folders of one merged view; all but `lower` are Photon's own. */
export interface Layers {
  readonly lower: string;
  readonly upper: string;
  /** Empty folder that the kernel needs, on the file system of `upper`. */
  readonly work: string;
  /** Where the merged files are shown to a program that was entered. */
  readonly merged: string;
}

export interface Overlay {
  /** Argv that shows the merged files to the program named after it, and to nobody else. */
  enter(layers: Layers): readonly string[];
  /** Deletes paths below an upper folder: they are not seen, whatever is there in `lower`. */
  hide(paths: readonly string[]): Promise<void>;
}

export interface OverlaySearch {
  readonly checkout: string;
  readonly scratch: string;
  /** A program by its name, never one inside the checkout; null when there is none. */
  readonly find: (name: string) => string | null;
}

/** Mounts in a mount namespace of its own, then becomes the program. */
const mountScript = 'mount -t overlay overlay -o "$1" "$2" && cd "$2" && shift 2 && exec "$@"';
const hideScript = 'for path do mknod -m 0 -- "$path" c 0 0 || exit 1; done';

/**
 * The way in which this machine and this file system can merge, seen to work; null when none does:
 * no user namespaces, a kernel before 5.11, a file system that cannot be a layer.
 */
export async function findOverlay(search: OverlaySearch): Promise<Overlay | null> {
  const unshare = search.find('unshare');
  if (process.platform !== 'linux' || unshare === null) return null;
  // option values of overlayfs know no quotes
  if (/[,:\\"]/.test(`${search.checkout}${search.scratch}`)) return null;
  const own = [unshare, '--mount', '--propagation', 'private'];
  const asUser = [unshare, '--user', '--map-root-user', ...own.slice(1)];
  for (const way of process.getuid?.() === 0 ? [own, asUser] : [asUser]) {
    const overlay = overlayBy(way);
    if (await merges(overlay, search)) return overlay;
  }
  return null;
}

/** Makes the folders of a view below one of Photon's own. */
export function makeLayers(folder: string, lower: string): Layers {
  const [upper, work, merged] = ['upper', 'work', 'merged'].map(name => join(folder, name));
  const layers = { lower, upper: upper ?? '', work: work ?? '', merged: merged ?? '' };
  for (const path of [layers.upper, layers.work, layers.merged]) mkdirSync(path);
  return layers;
}

function overlayBy(way: readonly string[]): Overlay {
  return {
    enter: ({ lower, upper, work, merged }) => {
      const options = `lowerdir=${lower},upperdir=${upper},workdir=${work},userxattr`;
      return [...way, 'sh', '-c', mountScript, 'sh', options, merged];
    },
    hide: async paths => {
      if (paths.length === 0) return;
      const end = await start(['sh', '-c', hideScript, 'sh', ...paths]);
      if (end.exitCode !== 0) throw new Error(`a path cannot be hidden: ${end.output}`);
    },
  };
}

const trial = `
[ ! -e .git ] && echo x > photon-trial && mkdir photon-folder && echo y > photon-folder/file &&
rm -r photon-folder && mkdir photon-folder && [ ! -e photon-folder/file ]`;

/** A trial over the checkout itself: is it shown, is its git folder hidden, can be written above it? */
async function merges(overlay: Overlay, { checkout, scratch }: OverlaySearch): Promise<boolean> {
  const folder = mkdtempSync(join(scratch, 'merge-'));
  try {
    const layers = makeLayers(folder, checkout);
    await overlay.hide([join(layers.upper, '.git')]);
    const end = await start([...overlay.enter(layers), 'sh', '-c', trial]);
    return end.exitCode === 0 && existsSync(join(layers.upper, 'photon-trial'));
  } catch {
    return false; // no whiteouts on this file system
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
