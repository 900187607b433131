/** Commands of the project, run behind walls that a probe has seen hold. */
import type { Guarantee } from '../outcome.ts';
import type { ProcessEnd, Running } from '../process/run-process.ts';
import type { ViewMount, ViewSupport } from '../workspace/views/view.ts';

/** `required`: fail unless every guarantee holds; `auto`: take the best, name what is missing. */
export type SandboxMode = 'required' | 'auto' | 'none';

/** True when a run ends unless every guarantee holds: `auto` is `required` on a hosted runner. */
export function mustHold(mode: SandboxMode, hosted: boolean): boolean {
  return mode === 'required' || (mode === 'auto' && hosted);
}

export interface CommandSpec {
  /** Program and arguments; a shell line is `['sh', '-c', line]`. */
  readonly argv: readonly string[];
  /** The merged view; shown at the checkout's own path. */
  readonly view: ViewMount;
  /** Folder inside the workspace to start in, relative; `.` is its root. */
  readonly cwd: string;
  readonly network: boolean;
  readonly timeoutMs: number;
  /** Most bytes of output kept (head and tail); the rest is counted and dropped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export interface CommandEnd extends Omit<ProcessEnd, 'account'> {
  /** False when its walls could not be built: it never ran, and `output` says why. */
  readonly began: boolean;
  /** How often something inside tried to reach a network that is not there; null when not counted. */
  readonly refusedConnections: number | null;
}

export interface Sandbox {
  readonly launcher: 'bubblewrap' | 'namespaces' | 'plain';
  readonly guarantees: readonly Guarantee[];
  readonly support: ViewSupport;
  run(command: CommandSpec): Promise<CommandEnd>;
  /** Starts a program that stays; what it writes to standard error is dropped. */
  start(command: Pick<CommandSpec, 'argv' | 'view' | 'cwd' | 'network'>): Running;
  /** Ends what still runs and undoes what opening it changed on the machine. */
  close(): Promise<void>;
}
