/** Merged views by overlayfs: the checkout below, unchanged; what a run and its commands write above. */
import { existsSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { removeFolder } from '../files/place-file.ts';

/** Folders of one merged view; all but the lowest are Photon's own. */
export interface Layers {
  /** Folders shown below, the topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** Empty folder that the kernel needs, on the file system of `upper`. */
  readonly work: string;
  /** Where the merged files are shown to a program that was entered. */
  readonly merged: string;
}

export interface Overlay {
  /**
   * Argv that shows merged folders to the program named after it, and to nobody else. It starts in
   * the first of them.
   */
  enter(merges: readonly Layers[]): readonly string[];
  /** Deletes paths below an upper folder: they are not seen, whatever is there in `lower`. */
  hide(paths: readonly string[]): Promise<void>;
  /** Copies a folder to a name in the merged folder that is not there; nothing below shows through it. */
  copyInto(merge: Layers, from: string, name: string): Promise<void>;
}

export interface OverlaySearch {
  readonly checkout: string;
  readonly scratch: string;
  readonly programs: Programs;
}

/** Mounts in a mount namespace of its own, then becomes the program. */
const mountScript =
  'mount=$1; shift; first=$2; while [ "$1" != -- ]; do "$mount" -t overlay overlay -o "$1" "$2" || exit 125; shift 2; done; cd "$first" && shift && exec "$@"';
const markScript = 'mknod=$1; shift; for path do "$mknod" -m 0 -- "$path" c 0 0 || exit 1; done';

type Tools = Readonly<Record<'unshare' | 'sh' | 'cp' | 'mount' | 'mknod', string>>;

/**
 * The way in which this machine and this file system can merge, seen to work; null when none does:
 * no user namespaces, a kernel before 5.11, a file system that cannot be a layer.
 */
export async function findOverlay(search: OverlaySearch): Promise<Overlay | null> {
  const tools = pickPrograms(search.programs, ['unshare', 'sh', 'cp', 'mount', 'mknod']);
  if (process.platform !== 'linux' || tools === null) return null;
  // option values of overlayfs know no quotes
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

/** Those folders of the machine that can be merged, too. */
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

/** Makes the folders of one merged view; `folder` is Photon's own. */
export function makeLayers(folder: string, lower: readonly string[]): Layers {
  mkdirSync(folder, { recursive: true });
  const [upper, work, merged] = ['upper', 'work', 'merged'].map(name => join(folder, name));
  const layers = { lower, upper: upper ?? '', work: work ?? '', merged: merged ?? '' };
  for (const path of [layers.upper, layers.work, layers.merged]) mkdirSync(path);
  return layers;
}

/** @param mark path of the whiteout that is made once and linked to what is hidden. */
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
      if (end.exitCode !== 0) throw new Error(`a folder cannot be copied: ${end.output}`);
    },
    hide: async paths => {
      // another may be making it; where none can be made, the paths themselves say why
      if (paths.length > 0 && !existsSync(mark)) await makeMarks(tools, [mark]).catch(() => {});
      await makeMarks(
        tools,
        paths.filter(path => !links(mark, path)),
      );
    },
  };
}

/** A file that hides what is below it. A file system has a limit of links to one file. */
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
  if (end.exitCode !== 0) throw new Error(`a path cannot be hidden: ${end.output}`);
}

/** True for a path that can stand in the options of a mount. */
export function canBeLayer(path: string): boolean {
  return !/[,:\\"]/.test(path);
}

const trial = `
[ ! -e .git ] && echo x > photon-trial && mkdir photon-folder && echo y > photon-folder/file &&
rm -r photon-folder && mkdir photon-folder && [ ! -e photon-folder/file ]`;

/** A trial: is a path hidden that is to be, and can be written and deleted above the folder? */
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
