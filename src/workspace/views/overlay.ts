/** Merged views with overlayfs: the unchanged checkout is the lower layer, and writes go to the upper layer. */
import { existsSync, linkSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeeds } from '../../base/system-errors.ts';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { systemName } from '../../process/system.ts';
import { removeFolder } from '../files/remove-folder.ts';

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
}

interface OverlaySearch {
  readonly checkout: string;
  readonly scratch: string;
  readonly programs: Programs;
}

/**
 * Mounts everything that a table names in a separate mount namespace, then becomes the program. A second command that mounts
 * the same folders at the same moment finds the working folders of the kernel half made, and fails. So each takes its turn;
 * the lock ends with the process that holds it.
 */
const mountScript = `exec 9>"$2.lock" && "$4" 9
"$1" -a -T "$2" || exit 125
exec 9>&-
cd "$3" && shift 4 && exec "$@"`;

type Tools = Readonly<Record<'unshare' | 'sh' | 'mount' | 'mknod', string>> & {
  /** A command that does nothing where the machine has no `flock`. */
  readonly flock: string;
};

/** A way of mounting, and the folders besides the checkout that it can merge. */
interface FoundOverlay<T> {
  /** Undefined when none works. */
  readonly overlay: Overlay | undefined;
  readonly mergeable: readonly T[];
}

/**
 * Finds a way of mounting that works on this machine and file system. None works when user namespaces are not
 * available, the kernel is older than 5.11, or the file system cannot be a layer.
 * @param folders of the machine that may be merged, too. All are tried at once, and each one alone if that fails.
 */
export async function findOverlay<T extends { readonly from: string }>(
  search: OverlaySearch,
  folders: readonly T[] = [],
): Promise<FoundOverlay<T>> {
  const none = { overlay: undefined, mergeable: [] };
  const needed = pickPrograms(search.programs, ['unshare', 'sh', 'mount', 'mknod']);
  if (systemName !== 'linux' || needed === undefined) return none;
  const tools: Tools = { ...needed, flock: search.programs.paths.flock ?? ':' };
  // option values of overlayfs cannot be quoted
  if (!canBeLayer(search.checkout) || !canBeLayer(search.scratch)) return none;
  const possible = folders.filter(({ from }) => canBeLayer(from));
  const own = [tools.unshare, '--mount', '--propagation', 'private'];
  const asUser = [tools.unshare, '--user', '--map-root-user', ...own.slice(1)];
  for (const way of process.getuid?.() === 0 ? [own, asUser] : [asUser]) {
    const overlay = overlayBy({ ...tools, way }, join(search.scratch, 'whiteout'));
    const works = (tried: readonly string[]) =>
      merges(overlay, { lowers: tried, scratch: search.scratch, sh: tools.sh });
    const all = possible.map(({ from }) => from);
    if (await works([search.checkout, ...all])) return { overlay, mergeable: possible };
    if (all.length === 0 || !(await works([search.checkout]))) continue;
    const can = await Promise.all(all.map(folder => works([folder])));
    return { overlay, mergeable: possible.filter((_folder, i) => can[i]) };
  }
  return none;
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
  return {
    enter: merges => {
      const table = join(dirname(merges[0]?.upper ?? ''), 'mounts');
      writeFileSync(table, `${merges.map(formatMount).join('\n')}\n`);
      const first = merges[0]?.merged ?? '';
      return [...way, tools.sh, '-c', mountScript, 'sh', tools.mount, table, first, tools.flock];
    },
    hide: async paths => {
      // another view can be creating it; if no whiteout can be created, the calls below report why
      if (paths.length > 0 && !existsSync(mark)) await makeMark(tools, mark).catch(() => {});
      for (const path of paths) if (!links(mark, path)) await makeMark(tools, path);
    },
  };
}

const formatMount = ({ lower, upper, work, merged }: Layers) =>
  mountLine({
    type: 'overlay',
    at: merged,
    options: `lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work},userxattr`,
  });

/** One line of a table for `mount -a`. */
export interface TableMount {
  readonly type: 'overlay' | 'tmpfs' | 'proc' | 'devpts' | 'none';
  /** The folder or file to bind; absent for a file system. */
  readonly from?: string;
  readonly at: string;
  readonly options: string;
}

/** Renders a line of a table of mounts; escapes stand for the characters that would end a field. */
export function mountLine({ type, from = type, at, options }: TableMount): string {
  const escaped = [from, at, type, options].map(field =>
    field.replace(/[ \t\n\\]/g, c => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  return `${escaped.join(' ')} 0 0`;
}

/** Links the whiteout to a path. False when that fails, for example at the file system's limit of links. */
const links = (mark: string, path: string) => succeeds(() => linkSync(mark, path));

async function makeMark({ mknod }: Tools, path: string): Promise<void> {
  const end = await start([mknod, '-m', '0', '--', path, 'c', '0', '0']);
  if (end.exitCode !== 0) throw new Error(`The path cannot be hidden: ${end.output}`);
}

/** True for a path that can be used in mount options. */
function canBeLayer(path: string): boolean {
  return !/[,:\\"]/.test(path);
}

/** Its arguments are a new folder inside each merged one. */
const trial = `
for f; do [ ! -e "\${f%/*}/.git" ] && echo x > "\${f%/*}/photon-trial" || exit 1; done
mkdir "$@" && for f; do echo y > "$f/file" || exit 1; done &&
rm -r "$@" && for f; do [ ! -e "$f" ] || exit 1; done`;

/** Tries it: checks that a path is hidden, and that the merged folders accept writes and deletions. */
async function merges(
  overlay: Overlay,
  tried: { readonly lowers: readonly string[]; readonly scratch: string; readonly sh: string },
): Promise<boolean> {
  const folder = mkdtempSync(join(tried.scratch, 'merge-'));
  try {
    const all = tried.lowers.map((lower, i) => makeLayers(join(folder, String(i)), [lower]));
    await overlay.hide(all.map(({ upper }) => join(upper, '.git')));
    const inside = all.map(({ merged }) => join(merged, 'photon-folder'));
    const end = await start([...overlay.enter(all), tried.sh, '-c', trial, 'sh', ...inside]);
    return end.exitCode === 0 && all.every(({ upper }) => existsSync(join(upper, 'photon-trial')));
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
