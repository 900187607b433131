/** Runs shell commands inside a view, behind the sandbox: the set-up command, and any other. */
import { PhotonError } from '../../base/codes.ts';
import { systemErrorIn } from '../../base/system-errors.ts';
import { withHeartbeat } from '../../process/time-limit.ts';
import type { CommandEnd, CommandSpec, Sandbox } from '../../sandbox/sandbox.ts';
import type { ViewMount } from '../../workspace/views/view.ts';

/** A view, and the sandbox that runs commands in it. */
export interface SandboxedView<V extends ViewMount = ViewMount> {
  readonly sandbox: Sandbox;
  readonly view: V;
}

export interface CommandInView
  extends Pick<CommandSpec, 'caller' | 'network' | 'timeoutMs' | 'maxOutputBytes' | 'signal'> {
  /** A shell line. */
  readonly command: string;
}

/** Runs a command in the root folder of a view. @throws PhotonError the reason of `signal`, or `CANCELLED`. */
export async function runInView(
  { sandbox, view }: SandboxedView,
  { command, signal, ...limits }: CommandInView,
): Promise<CommandEnd> {
  const end = await sandbox.run({
    ...limits,
    argv: ['sh', '-c', command],
    view,
    cwd: '.',
    signal,
  });
  if (!end.cancelled) return end;
  throw signal.reason instanceof PhotonError ? signal.reason : new PhotonError('CANCELLED');
}

/**
 * Checks that a command was started: one that never ran has not failed.
 * @throws PhotonError `DISK`, `SANDBOX_UNAVAILABLE`.
 */
export function requireStarted(end: CommandEnd, scrub: (text: string) => string): void {
  if (end.began || end.limit !== undefined) return;
  const output = scrub(end.output);
  const { code = 'SANDBOX_UNAVAILABLE', ...system } = systemErrorIn(output) ?? {};
  throw new PhotonError(
    code,
    `The sandbox could not start the command: ${output.trim().slice(-500)}`,
    'hint' in system ? { hint: system.hint } : {},
  );
}

interface SetUpCommand extends CommandInView {
  readonly scrub: (text: string) => string;
  /** Gets a line each minute, because package managers can be silent for long. */
  readonly log: (line: string) => void;
  /** The subject of the error message. */
  readonly name?: string;
}

/**
 * Runs the set-up command in a view.
 * @throws PhotonError `SETUP_FAILED` unless it ends with exit status 0; `DISK`, `SANDBOX_UNAVAILABLE`, `CANCELLED`.
 */
export async function setUpView(place: SandboxedView, setUp: SetUpCommand): Promise<void> {
  const { scrub, log, name = 'The set-up command', ...command } = setUp;
  const limit = Math.round(command.timeoutMs / 1000);
  const end = await withHeartbeat(
    runInView(place, command),
    seconds => log(`Set up: still running after ${seconds} of at most ${limit} seconds.`),
    heartbeatMs,
  );
  requireStarted(end, scrub);
  if (end.exitCode === 0) return;
  const seconds = Math.round(end.durationMs / 1000);
  const how =
    end.limit === undefined
      ? `failed with exit status ${end.exitCode}`
      : `reached its ${end.limit} limit after ${seconds} seconds`;
  const output = scrub(end.output).trim().slice(-1500) || 'It printed nothing.';
  throw new PhotonError(
    'SETUP_FAILED',
    `${name} ${how}${describeNetwork(place, command)}:\n${output}${describeRefused(end, scrub)}`,
    { hint: command.network ? withNetwork : undefined },
  );
}

const withNetwork =
  'Run it by hand. docs/sandbox.md lists the settings of proxies and registries that it receives.';

/** Names the hosts that the proxy refused, so that the setting can list them. */
function describeRefused(
  { connections = [] }: CommandEnd,
  scrub: (text: string) => string,
): string {
  const refused = connections.filter(c => !c.allowed).slice(0, 10);
  const named = refused.map(c => `${scrub(c.host)}:${c.port} (${c.reason})`);
  return named.length === 0 ? '' : `\nRefused connections: ${named.join(', ')}.`;
}

const heartbeatMs = 60_000;

/** Says what the command could reach, because a missing network or proxy is the most frequent cause. */
function describeNetwork({ sandbox }: SandboxedView, { network }: CommandInView): string {
  if (!network) return ', without network';
  const names = sandbox.setUpNetwork();
  return names.length === 0
    ? ', with network and without settings of a proxy or registry'
    : `, with network and ${names.join(', ')}`;
}
