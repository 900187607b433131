/** How a command line is wrapped so that walls stand around it: one signature, a file a launcher. */
import type { CommandSpec } from './sandbox.ts';
import type { Place } from './view.ts';

/** What a launcher knows of the machine; found once, when the sandbox is opened. */
export interface Machine {
  /** The checkout's own path: the view is shown there. */
  readonly workspacePath: string;
  readonly home: string;
  /** Folders to cover: the runner's, Photon's own. */
  readonly hidePaths: readonly string[];
  /** Tool folders below covered ones that commands need to see. */
  readonly readOnlyPaths: readonly string[];
  /** Those of them below the home folder; a view may show them so that they can be written to. */
  readonly caches: readonly string[];
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
const tetherScript = [
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
  return [...limitArguments(prlimit), sh, '-c', tetherScript, 'sh', cat];
}

export type InsidePrograms = Readonly<Record<'prlimit' | 'sh' | 'cat', string>>;

/** What every launcher with walls starts on the host, but for its argv. */
export function walled(machine: Machine): Omit<Launch, 'argv'> {
  return { cwd: '/', env: { ...machine.env, HOME: machine.home }, accounts: true };
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

/** One folder of a command's root. */
export type Shown =
  | { readonly kind: 'empty'; readonly at: string }
  | { readonly kind: 'read-only' | 'writable'; readonly at: string; readonly from: string };

/** What a command sees over a read-only machine; outer folders first, so that inner ones stay. */
export function shownFolders(machine: Machine, view: Place): readonly Shown[] {
  const inWorkspace = (path: string) =>
    path === machine.workspacePath || path.startsWith(`${machine.workspacePath}/`);
  const empty = ['/tmp', '/run', '/var/tmp', machine.home, ...machine.hidePaths];
  const shown: readonly Shown[] = [
    ...empty
      .filter(path => path !== '/' && !inWorkspace(path))
      .map((at): Shown => ({ kind: 'empty', at })),
    ...machine.readOnlyPaths.map((at): Shown => ({ kind: 'read-only', at, from: at })),
    ...view.folders.map((f): Shown => ({ kind: 'writable', ...f })),
    { kind: 'writable', at: machine.workspacePath, from: view.path },
  ];
  const last = new Map(shown.map(s => [s.at, s]));
  return [...last.values()].sort((a, b) => a.at.length - b.at.length);
}
