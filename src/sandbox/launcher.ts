/** What every launcher shares: the machine, the folders that a command sees, and the lifeline. One file per launcher. */
import { isBelow, isWithin, type Link } from '../workspace/files/locate.ts';
import type { Part } from './readable.ts';
import type { CommandSpec, LauncherName } from './sandbox.ts';

/** What a launcher knows about the machine, found once when the sandbox opens. Every path is a real path. */
export interface Machine {
  /** The path of the checkout, where the view is shown. */
  readonly workspacePath: string;
  readonly home: string;
  /** The parts of the machine that commands can read; everything else does not exist for them. */
  readonly parts: readonly Part[];
  /** Empty writable folders, besides home and `/tmp`. */
  readonly emptyFolders: readonly string[];
  /** Links of the machine that lead to these folders, such as `/bin`. */
  readonly links: readonly Link[];
  /** Paths inside the parts that are hidden again. */
  readonly hidden: readonly { readonly at: string; readonly isFolder: boolean }[];
  /** Parts below the home folder; a view can show them as writable. */
  readonly caches: readonly Part[];
  /** Folders of home and `/tmp` that lead to what is mounted below them. */
  readonly heldFolders: readonly string[];
  /** An empty file. */
  readonly nothing: string;
  readonly env: Readonly<Record<string, string>>;
  /** The user and group that commands run as; null for root. */
  readonly user: { readonly uid: string; readonly gid: string } | null;
}

/** The process to start on the host for a command. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** True when the command runs in a sandbox, which reports on descriptor 3 that it started, and its network counters. */
  readonly accounts: boolean;
}

/** What a launcher must know of a command. */
export type LaunchedCommand = Pick<CommandSpec, 'argv' | 'view' | 'cwd' | 'network' | 'readOnly'>;

export interface Launcher {
  readonly name: LauncherName;
  /** True if it mounts what a command sees, so that the view is at the path of the checkout. */
  readonly mounts: boolean;
  launch(machine: Machine, command: LaunchedCommand): Launch;
}

/** Limits that every launcher sets: processes, file size (8 GiB), no core files. */
export function limitArguments(prlimit: string): readonly string[] {
  return [prlimit, '--nproc=8192', '--fsize=8589934592', '--core=0', '--'];
}

/**
 * The lifeline: descriptor 3 connects the sandbox to Photon, and the command does not inherit it. When
 * Photon closes its end, by a stop or by dying, everything inside is killed. `--die-with-parent` alone is not
 * enough, because a launcher can die before it has set that up. At the end the script reports the network
 * counters, without a program.
 */
const lifelineScript = [
  'counters() { while read -r l; do case $l in Ip:*|Ip6OutNoRoutes*) echo "$l";; Icmp*) break;; esac; done; }',
  'echo >&3 || exit 125',
  '(read -r _ <&3; kill -9 -1) >/dev/null 2>&1 & lifeline=$!',
  '"$@" 3>&-; code=$?',
  'counters 2>/dev/null >&3 </proc/net/snmp; counters 2>/dev/null >&3 </proc/net/snmp6',
  'kill -9 $lifeline 2>/dev/null',
  'exit $code',
].join('\n');

/**
 * The arguments in front of the command inside a sandbox. Programs have absolute paths, because the PATH
 * there belongs to the command and can lead into the project.
 */
export function insideArguments({ prlimit, sh }: InsidePrograms): readonly string[] {
  return [...limitArguments(prlimit), sh, '-c', lifelineScript, 'sh'];
}

export type InsidePrograms = Readonly<Record<'prlimit' | 'sh', string>>;

/** The working folder and environment of every sandboxed launch. */
export function sandboxed(machine: Machine): Omit<Launch, 'argv'> {
  const env = { ...machine.env, HOME: machine.home, ...ownedCheckout(machine) };
  return { cwd: '/', env, accounts: true };
}

/** In a container the checkout can belong to another user; this setting lets git read it anyway. */
function ownedCheckout({ workspacePath }: Machine): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: workspacePath,
  };
}

/** Kernel controls that the uid of root can write to even without capabilities. */
export const kernelControls = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
] as const;

/** Maximum bytes of a folder in memory that no view keeps. */
export const emptyBytes = 268_435_456;
/** Maximum bytes of shared memory (/dev/shm). */
export const sharedBytes = 1_073_741_824;

/** One entry of a command's root, which is otherwise empty. */
export type RootEntry =
  | { readonly kind: 'empty'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly to: string }
  | { readonly kind: 'read-only' | 'writable'; readonly at: string; readonly from: string };

/** Everything that a command sees; outer folders first, so that they do not cover inner ones. */
export function shownFolders(
  machine: Machine,
  { view, readOnly = false }: Pick<LaunchedCommand, 'view' | 'readOnly'>,
): readonly RootEntry[] {
  const { hidden, nothing, workspacePath } = machine;
  const covers = hidden.map(
    ({ at, isFolder }): RootEntry =>
      isFolder ? { kind: 'empty', at } : { kind: 'read-only', at, from: nothing },
  );
  const shown: readonly RootEntry[] = [
    ...machine.links.map((link): RootEntry => ({ kind: 'link', ...link })),
    ...['/tmp', ...machine.emptyFolders, machine.home].map(
      (at): RootEntry => ({ kind: 'empty', at }),
    ),
    ...covers.filter(({ at }) => !isWithin(at, workspacePath)),
    ...machine.parts.map((part): RootEntry => ({ kind: 'read-only', ...part })),
    ...view.folders.flatMap(f => [f, ...heldIn(machine, f)]).map(asWritable),
    { kind: readOnly ? 'read-only' : 'writable', at: workspacePath, from: view.path },
  ];
  const last = new Map(shown.map(s => [s.at, s]));
  return [...last.values()].sort((a, b) => a.at.length - b.at.length);
}

const asWritable = (folder: Part): RootEntry => ({ kind: 'writable', ...folder });

/**
 * The folders between a writable folder of the view and a mount point below it. A command could replace one
 * with a link, and the next command's mount would follow that link out of the view. A mount point cannot be
 * replaced, so each of these folders is mounted on itself.
 */
function heldIn({ heldFolders, home }: Machine, { at, from }: Part): readonly Part[] {
  return heldFolders
    .filter(held => [home, '/tmp'].find(own => isBelow(held, own)) === at)
    .map(held => ({ at: held, from: `${from}${held.slice(at.length)}` }));
}

/** The folders that `heldIn` mounts on themselves; folders inside a read-only part do not need it. */
export function heldFolders(
  machine: Pick<Machine, 'home' | 'workspacePath' | 'parts'>,
): readonly string[] {
  const { home, workspacePath } = machine;
  const parts = machine.parts.map(p => p.at);
  const mounted = [home, workspacePath, ...parts];
  const held = mounted.flatMap(path => {
    const over = [...parts, home, '/tmp', workspacePath].filter(folder => isBelow(path, folder));
    const nearest = over.reduce((a, b) => (b.length > a.length ? b : a), '');
    return nearest === home || nearest === '/tmp' ? between(nearest, path) : [];
  });
  return [...new Set(held)];
}

function between(folder: string, path: string): readonly string[] {
  const above = path.slice(0, path.lastIndexOf('/'));
  return isBelow(above, folder) ? [...between(folder, above), above] : [];
}
