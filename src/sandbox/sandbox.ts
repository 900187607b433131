/** The sandbox that runs commands of the project: its guarantees, and the result of a command. */
import type { Connections, Guarantee } from '../base/outcome.ts';
import type { Environment } from '../process/environment.ts';
import type { ProcessEnd, ProcessSpec, Running } from '../process/run-process.ts';
import { systemName } from '../process/system.ts';
import type { CommandCaller } from '../workspace/session/command-record.ts';
import type { FileEffects } from '../workspace/views/file-effects.ts';
import type { ViewMount, ViewSupport } from '../workspace/views/view.ts';

/**
 * `required`: fail unless every guarantee holds. `auto`: use the best sandbox and name the missing guarantees, but never
 * go on without one. `none`: use none.
 */
export type SandboxMode = 'required' | 'auto' | 'none';

/** True in a job of GitHub Actions, where nobody can be asked. */
export function isJob(env: Environment): boolean {
  return env.GITHUB_ACTIONS === 'true';
}

/** True when a run must end unless every guarantee holds. In a job on Linux, `auto` means `required`. */
export function mustHold(mode: SandboxMode, env: Environment): boolean {
  return mode === 'required' || (mode === 'auto' && isJob(env) && systemName === 'linux');
}

export interface CommandSpec
  extends Pick<ProcessSpec, 'argv' | 'timeoutMs' | 'maxOutputBytes' | 'signal' | 'onOutput'> {
  /** What starts the command, for the audit log of the session. */
  readonly caller: CommandCaller;
  /** The merged view, shown at the path of the checkout. */
  readonly view: ViewMount;
  /** The working folder, relative to the workspace; `.` is its root. */
  readonly cwd: string;
  readonly network: boolean;
  /** True: the view is mounted read-only. Home and `/tmp` stay writable. */
  readonly readOnly?: boolean;
}

/** A program that runs until it is stopped. */
type StartedCommand = Pick<
  CommandSpec,
  'caller' | 'argv' | 'view' | 'cwd' | 'network' | 'readOnly'
>;

export interface CommandEnd extends Omit<ProcessEnd, 'account'> {
  /** False when the sandbox could not be set up: the command never ran, and `output` gives the reason. */
  readonly began: boolean;
  /** How many connections to the missing network were refused; undefined when they are not counted. */
  readonly refusedConnections: number | undefined;
  /** What it did to files of its view; absent when that was not watched or is not known. */
  readonly effects?: FileEffects | undefined;
  /** What it reached and what was refused, if it had a network that ends at listed hosts. */
  readonly connections?: readonly Connections[];
}

/** `seatbelt` is the sandbox of macOS; `plain` has no walls. */
export type LauncherName = 'bubblewrap' | 'namespaces' | 'seatbelt' | 'plain';

export interface Sandbox {
  readonly launcher: LauncherName;
  /** True if commands see the view at the path of the checkout, and not where it lies. */
  readonly mounts: boolean;
  readonly guarantees: readonly Guarantee[];
  readonly support: ViewSupport;
  /** Names of the proxy, certificate and registry settings that a set-up with a network receives. */
  setUpNetwork(): readonly string[];
  run(command: CommandSpec): Promise<CommandEnd>;
  /** Starts a long-running program; its standard error is dropped. */
  start(command: StartedCommand): Running;
  /** Undoes what opening the sandbox changed on the machine. */
  close(): Promise<void>;
}
