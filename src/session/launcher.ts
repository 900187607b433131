/** How a command line is wrapped so that walls stand around it: one signature, a file a launcher. */
import type { CommandSpec } from './sandbox.ts';

/** What a launcher knows of the machine; found once, when the sandbox is opened. */
export interface Machine {
  /** The checkout's own path: the view is shown there. */
  readonly workspacePath: string;
  readonly home: string;
  /** Folders to cover: the runner's, Photon's own. */
  readonly hidePaths: readonly string[];
  /** Tool folders below covered ones that commands need to see. */
  readonly readOnlyPaths: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ids that commands run under; null when they are root's. */
  readonly user: { readonly uid: string; readonly gid: string } | null;
}

/** What is started on the host for a command. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Launcher {
  readonly name: 'bubblewrap' | 'plain';
  launch(machine: Machine, command: Pick<CommandSpec, 'argv' | 'view' | 'cwd' | 'network'>): Launch;
}

/** Limits that every launcher sets: processes, file size (8 GiB), no core files. */
export const limitArguments = [
  'prlimit',
  '--nproc=8192',
  '--fsize=8589934592',
  '--core=0',
  '--',
] as const;
