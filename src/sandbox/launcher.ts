/** How a command line is wrapped so that walls stand around it: one signature, a file a launcher. */
import { isBelow, isWithin, type Link } from '../workspace/files/locate.ts';
import type { ViewMount } from '../workspace/views/view.ts';
import type { Part } from './readable.ts';
import type { CommandSpec } from './sandbox.ts';

/** What a launcher knows of the machine; found once, when the sandbox is opened. Every path is a real one. */
export interface Machine {
  /** The checkout's own path: the view is shown there. */
  readonly workspacePath: string;
  readonly home: string;
  /** What of the machine commands read; what is in none of them is not there. */
  readonly parts: readonly Part[];
  /** Folders that are empty and can be written to, besides home and `/tmp`. */
  readonly emptyFolders: readonly string[];
  /** Links of the machine that lead to them, such as `/bin`. */
  readonly links: readonly Link[];
  /** Paths inside the parts that are hidden again. */
  readonly hidden: readonly { readonly at: string; readonly isFolder: boolean }[];
  /** Parts below the home folder; a view may show them so that they can be written to. */
  readonly caches: readonly Part[];
  /** Folders of home and `/tmp` that lead to what is mounted below them. */
  readonly heldFolders: readonly string[];
  /** An empty file. */
  readonly nothing: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ids that commands run under; null when they are root's. */
  readonly user: { readonly uid: string; readonly gid: string } | null;
}

/** What is started on the host for a command. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** True when walls stand around the command, which then tells on descriptor 3 what they counted. */
  readonly accounts: boolean;
}

export interface Launcher {
  readonly name: 'bubblewrap' | 'namespaces' | 'plain';
  launch(machine: Machine, command: Pick<CommandSpec, 'argv' | 'view' | 'cwd' | 'network'>): Launch;
}

/** Limits that every launcher sets: processes, file size (8 GiB), no core files. */
export function limitArguments(prlimit: string): readonly string[] {
  return [prlimit, '--nproc=8192', '--fsize=8589934592', '--core=0', '--'];
}

/**
 * Descriptor 3 leads to Photon, and the command never has it. When its other end is closed, by a stop
 * or by the death of Photon, everything inside ends: a launcher that dies in the instant in which it
 * starts may not have tied its inner half to itself yet. At the end it tells what the network counted.
 */
const lifelineScript = [
  'cat=$1; shift',
  'echo >&3 || exit 125',
  '(read -r _ <&3; kill -9 -1) >/dev/null 2>&1 & tether=$!',
  '"$@" 3>&-; code=$?',
  '"$cat" /proc/net/snmp /proc/net/snmp6 >&3 2>/dev/null; kill -9 $tether',
  'exit $code',
].join('\n');

/**
 * What stands before the command inside walls. The programs are named by their paths: the PATH there is
 * the command's, and may lead into the project.
 */
export function insideArguments({ prlimit, sh, cat }: InsidePrograms): readonly string[] {
  return [...limitArguments(prlimit), sh, '-c', lifelineScript, 'sh', cat];
}

export type InsidePrograms = Readonly<Record<'prlimit' | 'sh' | 'cat', string>>;

/** What every launcher with walls starts on the host, but for its argv. */
export function walled(machine: Machine): Omit<Launch, 'argv'> {
  const env = { ...machine.env, HOME: machine.home, ...ownedCheckout(machine) };
  return { cwd: '/', env, accounts: true };
}

/** In a container the checkout may be another user's; git is told that it may be read all the same. */
function ownedCheckout({ workspacePath }: Machine): Readonly<Record<string, string>> {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: workspacePath,
  };
}

/** Controls of the kernel that root's own uid may write even without capabilities. */
export const kernelControls = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
] as const;

/** Bytes of a folder that lives in memory and that no view keeps. */
export const emptyBytes = 268_435_456;
/** Bytes of shared memory (/dev/shm). */
export const sharedBytes = 1_073_741_824;

/** One thing of a command's root, which is empty but for them. */
export type RootEntry =
  | { readonly kind: 'empty'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly to: string }
  | { readonly kind: 'read-only' | 'writable'; readonly at: string; readonly from: string };

/** What a command sees; outer folders first, so that inner ones stay. */
export function shownFolders(machine: Machine, view: ViewMount): readonly RootEntry[] {
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
    { kind: 'writable', at: workspacePath, from: view.path },
  ];
  const last = new Map(shown.map(s => [s.at, s]));
  return [...last.values()].sort((a, b) => a.at.length - b.at.length);
}

const asWritable = (folder: Part): RootEntry => ({ kind: 'writable', ...folder });

/**
 * Folders between a folder of the view's own and what is mounted below it. A command could put a
 * link in the place of one, and the next command's mount would follow it to wherever it leads; a
 * folder that something is mounted on cannot be replaced, so each is mounted on itself.
 */
function heldIn({ heldFolders, home }: Machine, { at, from }: Part): readonly Part[] {
  return heldFolders
    .filter(held => [home, '/tmp'].find(own => isBelow(held, own)) === at)
    .map(held => ({ at: held, from: `${from}${held.slice(at.length)}` }));
}

/** The folders that `heldIn` holds; inside a part nothing needs it, since its folders stay as they are. */
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
