/** Opens a sandbox with the launcher that the probe confirms, and ends the run without such a launcher (docs/sandbox.md). */
import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import type { Connections } from '../base/outcome.ts';
import type { Reach } from '../process/egress/proxy.ts';
import { type TreeLimits, watchTree } from '../process/process-watch.ts';
import { type Running, runProcess, startProcess } from '../process/run-process.ts';
import { nowhere } from '../process/system.ts';
import type { CommandCaller } from '../workspace/session/command-record.ts';
import { findOverlay } from '../workspace/views/overlay.ts';
import { coverSockets } from './covered-paths.ts';
import { openEgress } from './egress/egress.ts';
import {
  countRefused,
  findNetworkSettings,
  type NetworkSettings,
} from './egress/network-settings.ts';
import {
  findLauncher,
  type LauncherResult,
  type ProbedLauncher,
  type ProbeSetting,
} from './launchers/find-launcher.ts';
import type { Launcher, Machine } from './launchers/launcher.ts';
import { plain } from './launchers/plain.ts';
import { allowNamespaces, sandboxAdvice } from './probe/advice.ts';
import { describeMachine } from './probe/machine.ts';
import { noGuarantees } from './probe/probe.ts';
import {
  type CommandEnd,
  type CommandSpec,
  isJob,
  mustHold,
  type Sandbox,
  type SandboxMode,
} from './sandbox.ts';

export interface SandboxOptions extends ProbeSetting {
  readonly mode: SandboxMode;
  /** True on a GitHub-hosted Linux runner, where passwordless sudo can prepare the machine. */
  readonly hosted: boolean;
  /** Maximum memory of all processes of a command; undefined means four fifths of the machine's memory. */
  readonly memoryBytes: number | undefined;
  /** Maximum number of processes of a command; undefined means 4096. */
  readonly processes: number | undefined;
  readonly log: (line: string) => void;
  /** Called at the end of a command with what it reached and what was refused, if there was something. */
  readonly connected?: (caller: CommandCaller, connections: readonly Connections[]) => void;
  /** How the proxy for these hosts reaches the outside; absent except in tests. */
  readonly reach?: Reach;
}

/** Bytes of disk that a command must leave free, so that Photon can still record how it ended. */
const reserveBytes = 134_217_728;

/**
 * Opens the best sandbox that this machine supports. Only the mode `none` opens one that keeps nothing from a command.
 * @throws PhotonError `SANDBOX_UNAVAILABLE` if the machine has no sandbox, if its probe failed, or if the mode requires
 * a guarantee that does not hold.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machine = describeMachine(options);
  const { scratch, programs } = options;
  const search = { checkout: machine.workspacePath, scratch, programs };
  const findViews = () => findOverlay(search, machine.caches);
  const [{ chosen, close }, tried] = await Promise.all([
    options.mode === 'none' ? withoutSandbox(options) : chooseLauncher(options, machine),
    options.mode === 'none' ? undefined : findViews(),
  ]);
  const { launcher, guarantees } = chosen;
  // a hosted runner may have been prepared since
  const found =
    launcher.mounts && tried !== undefined && tried.overlay === undefined && options.hosted
      ? await findViews()
      : tried;
  // without mounts of its own, a command could use the mounts of an overlay itself
  const overlay = launcher.mounts ? found?.overlay : undefined;
  const caches = overlay === undefined ? [] : (found?.mergeable ?? []);
  const settings = readNetworkSettings(options, machine, launcher);
  const { hosts, services = [] } = options;
  const limited = hosts !== undefined || services.length > 0;
  const egress = launcher.mounts && limited ? openEgress(scratch, options) : undefined;
  const prepare = (seen: Machine, command: Pick<CommandSpec, 'caller' | 'argv' | 'network'>) => {
    const { caller, argv, network } = command;
    // what shares the network of the machine reaches its services anyway
    if (egress === undefined || (network && hosts === undefined))
      return { machine: seen, argv, network, close: () => [] };
    const entered = egress.enter(seen, command);
    const close = () => {
      const connections = entered.close();
      if (connections.length > 0) options.connected?.(caller, connections);
      return connections;
    };
    return { ...entered, network: false, close };
  };
  const started = new Set<Running>();
  return {
    launcher: launcher.name,
    mounts: launcher.mounts,
    guarantees,
    support: { overlay, home: machine.home, caches, heldFolders: machine.heldFolders },
    close: async () => {
      for (const running of started) running.stop();
      await Promise.all([...started].map(s => s.ended));
      egress?.close();
      await close();
    },
    start: command => {
      const { machine: shown, ...how } = prepare(coverSockets(machine, caches), command);
      const running = startProcess({
        ...launcher.launch(shown, { ...command, ...how }),
        watch: (pid, exceeded) => watchTree(pid, computeLimits(options), exceeded),
      });
      started.add(running);
      void running.ended.then(() => {
        started.delete(running);
        how.close();
      });
      return running;
    },
    setUpNetwork: () => settings().names,
    run: async command => {
      // a patch never gets the password of a proxy: only the set-up does, and only if it has a network
      const online = command.caller === 'setup' && command.network;
      const seen = online ? withNetwork(machine, settings()) : machine;
      const { machine: shown, ...how } = prepare(coverSockets(seen, caches), command);
      const inside = { launcher, machine: shown, limits: computeLimits(options) };
      const end = await runInside(inside, { ...command, ...how });
      const connections = how.close();
      return hosts === undefined || !command.network ? end : { ...end, connections };
    },
  };
}

interface SandboxChoice {
  readonly chosen: ProbedLauncher;
  /** Undoes what was prepared on the machine. */
  close(): Promise<void>;
}

/** Commands run plainly, because the settings say so. Nothing is probed, and every guarantee is reported as missing. */
function withoutSandbox({ programs, ...limited }: SandboxOptions): SandboxChoice {
  const chosen = { launcher: plain(programs), guarantees: noGuarantees(limited) };
  return { chosen, close: async () => {} };
}

/**
 * Finds the launcher; on a hosted runner, prepares the machine and tries again if a guarantee is missing.
 * @throws PhotonError `SANDBOX_UNAVAILABLE`.
 */
async function chooseLauncher(options: SandboxOptions, machine: Machine): Promise<SandboxChoice> {
  const first = await findLauncher(options, machine);
  const restore = options.hosted && !holdsAll(first) ? await allowNamespaces(options) : undefined;
  const found = restore === undefined ? first : await findLauncher(options, machine);
  const close = async () => restore?.();
  const refused = refusal(found, options);
  if (refused === undefined && found.kind === 'probed') return { chosen: found, close };
  await close();
  throw refused ?? new PhotonError('SANDBOX_UNAVAILABLE');
}

const holdsAll = (found: LauncherResult) =>
  found.kind === 'probed' && found.guarantees.every(g => g.holds);

/** Why a run must not go on with what was found; undefined if it may. */
function refusal(
  found: LauncherResult,
  { mode, env, programs }: SandboxOptions,
): PhotonError | undefined {
  const advice = sandboxAdvice(programs).join(' ');
  const refuse = (message: string, hint: string) =>
    new PhotonError('SANDBOX_UNAVAILABLE', message, hint === '' ? {} : { hint });
  if (found.kind === 'none') {
    const atTerminal = mode === 'auto' && !isJob(env);
    return refuse(`This machine has no sandbox: ${found.why}`, atTerminal ? askForNone : advice);
  }
  if (found.kind === 'failed')
    return refuse(
      `The probe of the sandbox (${found.launcher}) failed twice, so no command was run: ${found.reason}`,
      advice,
    );
  const missing = found.guarantees.filter(g => !g.holds).map(g => g.name);
  const against = [
    isExperimental(found.launcher) ? 'The sandbox of macOS is experimental.' : undefined,
    missing.length === 0 ? undefined : `The sandbox lacks: ${missing.join(', ')}.`,
  ].filter(item => item !== undefined);
  return mustHold(mode, env) && against.length > 0 ? refuse(against.join(' '), advice) : undefined;
}

const askForNone =
  'If commands of this project may read your files and use your network, repeat the command with --sandbox none, or set sandbox.mode to none in your own configuration (docs/settings.md).';

/** True for a launcher that was never run on its system. */
const isExperimental = ({ name }: Launcher) => name === 'seatbelt';

/** The settings of this machine for a set-up with a network, read at the first call. */
function readNetworkSettings(
  { env, scratch, log, hosts }: SandboxOptions,
  machine: Machine,
  { mounts }: Launcher,
) {
  let found: NetworkSettings | undefined;
  return () => {
    if (found !== undefined) return found;
    const folder = join(scratch, 'network');
    // an empty folder of each command, so that no view keeps a trace of the files
    const shownAt = mounts ? join(machine.emptyFolders[0] ?? '/run', 'photon-network') : folder;
    const home = env.HOME || nowhere;
    const withProxies = !mounts || hosts === undefined;
    found = findNetworkSettings({ env, home, folder, shownAt, withProxies });
    for (const name of found.unusable)
      log(`Set up: ${name} names a file without certificates, or one that cannot be read.`);
    return found;
  };
}

function withNetwork(machine: Machine, { env, files }: NetworkSettings): Machine {
  return {
    ...machine,
    env: { ...machine.env, ...env },
    parts: [...machine.parts, ...files],
  };
}

interface Inside {
  readonly launcher: Launcher;
  readonly machine: Machine;
  readonly limits: TreeLimits;
}

/** What `unshare` says at the end of a command that SIGKILL ended, though nothing is wrong. */
const ofUnshare = /^unshare: sigprocmask unblock failed: .*\n?/gm;

async function runInside(inside: Inside, command: CommandSpec): Promise<CommandEnd> {
  const { launcher, machine, limits } = inside;
  const launch = launcher.launch(machine, command);
  const { account, ...end } = await runProcess({
    ...launch,
    timeoutMs: command.timeoutMs,
    maxOutputBytes: command.maxOutputBytes,
    signal: command.signal,
    onOutput: command.onOutput,
    watch: (pid, exceeded) => watchTree(pid, limits, exceeded),
  });
  return {
    ...end,
    output: end.output.replace(ofUnshare, ''),
    began: !launch.accounts || account !== '',
    refusedConnections: command.network ? undefined : countRefused(account),
  };
}

function computeLimits({ memoryBytes, processes, scratch }: SandboxOptions): TreeLimits {
  const { bavail, bsize } = statfsSync(scratch);
  // a container can have less memory than its machine
  const maxMemory = Math.floor((process.constrainedMemory() || totalmem()) * 0.8);
  return {
    memoryBytes: Math.min(memoryBytes ?? Number.POSITIVE_INFINITY, maxMemory),
    processes: processes ?? 4096,
    folder: scratch,
    reserveBytes: Math.min(reserveBytes, Math.floor((bavail * bsize) / 2)),
  };
}
