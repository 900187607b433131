/** What every launcher shares: the machine, the folders that a command sees, and its init process. One file per launcher. */
import { isBelow, isWithin, type Link } from '../../workspace/files/locate.ts';
import type { Part } from '../readable.ts';
import type { CommandSpec, LauncherName } from '../sandbox.ts';

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
  /** The user and group that commands run as; undefined for root. */
  readonly user: { readonly uid: string; readonly gid: string } | undefined;
}

/** The process to start on the host for a command. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** True when the command runs in a sandbox, which reports on descriptor 3 that it is made, and its network counters. */
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

/**
 * The limits that every launcher sets, as a line of shell: no core files, no file above 8 GiB (`ulimit` counts blocks of
 * 512 bytes), and 8192 processes, which is `-p` for some shells and `-u` for others. A lower limit of the machine stays.
 */
export const limitLine =
  'ulimit -c 0; ulimit -f 16777216 2>/dev/null; ulimit -p 8192 2>/dev/null || ulimit -u 8192 2>/dev/null';

/**
 * The init process of a sandbox. Descriptor 3 connects it to Photon, and the command does not inherit it. It reports
 * that the sandbox is made, and waits for the answer. No answer comes when Photon stopped the command, or when Photon or
 * the launcher died before. After the answer the kernel ends everything with Photon: each process between them has asked
 * for that (PR_SET_PDEATHSIG) before this one began, and was alive when Photon answered.
 * At the end it reports the network counters, without a program.
 */
const initScript = [
  'echo >&3 && read -r _ <&3 || exit 125',
  // a test that looks at the mode of a file judges the same for every caller
  'umask 022',
  limitLine,
  'counters() { while read -r l; do case $l in Ip:*|Ip6OutNoRoutes*) echo "$l";; Icmp*) break;; esac; done; }',
  '"$@" 3>&-; code=$?',
  'counters 2>/dev/null >&3 </proc/net/snmp; counters 2>/dev/null >&3 </proc/net/snmp6',
  'exit $code',
].join('\n');

/**
 * The arguments in front of the command inside a sandbox.
 * @param sh an absolute path: the PATH there is the command's.
 */
export function insideArguments(machine: Machine, sh: string, perl?: string): readonly string[] {
  return [...closeKeys(machine, sh, perl), sh, '-c', initScript, 'sh'];
}

/**
 * Numbers of system calls, by the processor; the three of keys follow one another. The last two are the architecture and the
 * first call of keys of programs for 32 bits.
 */
const kernels: Readonly<Record<string, readonly number[]>> = {
  x64: [112, 157, 248, 0x40000003, 286],
  arm64: [157, 167, 217, 0x40000028, 309],
};

/**
 * The words in front of the init process that give it a session and a session keyring of its own, and a filter that refuses
 * the calls of the kernel's keys: no namespace holds these, so that a command could read each key of the user. No tool of util-linux
 * does that, so there are none on a machine whose commands have no perl.
 */
function closeKeys({ parts }: Machine, sh: string, perl: string | undefined): readonly string[] {
  const [setsid, prctl, first, arch, older] = kernels[process.arch] ?? [];
  if (perl === undefined || older === undefined || first === undefined) return [];
  if (!parts.some(part => isWithin(perl, part.at))) return [];
  // rows of `struct sock_filter`: what to do, how many rows to skip if it is so and if not, and a number
  const filter = [
    ...[0x20, 0, 0, 4], // the architecture
    ...[0x15, 0, 3, arch],
    ...[0x20, 0, 0, 0], // the number of the call
    ...[0x35, 0, 5, older],
    ...[0x25, 4, 5, older + 2],
    ...[0x20, 0, 0, 0],
    ...[0x54, 0, 0, 0xbfffffff], // a bit marks calls of the x32 ABI
    ...[0x35, 0, 1, first],
    ...[0x25, 0, 1, first + 2],
    ...[0x06, 0, 0, 0x7fff0000], // allowed
    ...[0x06, 0, 0, 0x00050026], // ENOSYS
  ];
  const lines = [
    `syscall(${setsid}); syscall(${first + 2}, 1, 0)`,
    `$f = pack("(SCCL)*", ${filter})`,
    `syscall(${prctl}, 22, 2, pack("Sx6P", ${filter.length / 4}, $f))`,
    'exec { $ARGV[0] } @ARGV or exit 127',
  ];
  // without the variable, perl complains of a locale that is not installed, in the output of every command
  const quiet = [sh, '-c', 'export PERL_BADLANG=0; exec "$@"', 'sh'];
  return [...quiet, perl, '-e', `delete $ENV{PERL_BADLANG}; ${lines.join('; ')}`, '--'];
}

/** The working folder and environment of every sandboxed launch. */
export function makeLaunch(machine: Machine): Omit<Launch, 'argv'> {
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
