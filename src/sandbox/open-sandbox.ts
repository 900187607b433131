/** Opens a sandbox: takes the first launcher for which the probe confirms every guarantee (docs/sandbox.md). */
import { mkdirSync, realpathSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { PhotonError } from '../codes.ts';
import type { Connections, Guarantee } from '../outcome.ts';
import type { Reach } from '../process/egress-proxy.ts';
import { type TreeLimits, watchTree } from '../process/process-watch.ts';
import { type Running, runProcess, startProcess } from '../process/run-process.ts';
import { thisPlatform } from '../process/this-platform.ts';
import { isWithin, realPath } from '../workspace/files/locate.ts';
import type { CommandCaller } from '../workspace/session/command-record.ts';
import { findOverlay } from '../workspace/views/overlay.ts';
import { sandboxAdvice } from './advice.ts';
import { coveredPaths, coverSockets } from './covered-paths.ts';
import type { Egress } from './egress.ts';
import { allowNamespaces, installBubblewrap } from './hosted-runner.ts';
import { bubblewrap } from './launch-bubblewrap.ts';
import { namespacesLauncher } from './launch-namespaces.ts';
import { plain } from './launch-plain.ts';
import { seatbelt } from './launch-seatbelt.ts';
import type { Launcher, Machine } from './launcher.ts';
import { describeMachine, type MachineOptions } from './machine.ts';
import { countRefused } from './network-account.ts';
import { findNetworkSettings, type NetworkSettings } from './network-settings.ts';
import { noGuarantees, probeGuarantees } from './probe.ts';
import {
  type CommandEnd,
  type CommandSpec,
  mustHold,
  type Sandbox,
  type SandboxMode,
} from './sandbox.ts';

export interface SandboxOptions extends MachineOptions {
  readonly mode: SandboxMode;
  /** True on a GitHub-hosted Linux runner, where passwordless sudo can prepare the machine. */
  readonly hosted: boolean;
  /** Maximum memory of all processes of a command; null means four fifths of the machine's memory. */
  readonly memoryBytes: number | null;
  /** Maximum number of processes of a command; null means 4096. */
  readonly processes: number | null;
  readonly token: string;
  readonly log: (line: string) => void;
  /** The hosts that commands with a network can reach; null or absent for all. */
  readonly hosts?: readonly string[] | null;
  /** Called at the end of a command with what it reached and what was refused, if there was something. */
  readonly connected?: (caller: CommandCaller, connections: readonly Connections[]) => void;
  /** How the proxy for these hosts reaches the outside; absent except in tests. */
  readonly reach?: Reach;
}

/** Bytes of disk that a command must leave free, so that Photon can still record how it ended. */
const reserveBytes = 134_217_728;

/**
 * Opens the best sandbox that this machine supports.
 * @throws PhotonError `SANDBOX_UNAVAILABLE` when the mode requires a guarantee that does not hold.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machine = describeMachine(options);
  const { scratch, programs } = options;
  const search = { checkout: machine.workspacePath, scratch, programs };
  const findViews = () => findOverlay(search, machine.caches);
  const [{ chosen, close }, tried] = await Promise.all([
    chooseLauncher(options, machine),
    options.mode === 'none' ? null : findViews(),
  ]);
  const { launcher, guarantees } = chosen;
  const missing = guarantees.filter(g => !g.holds).map(g => g.name);
  const trial = isExperimental(launcher) ? ['The sandbox of macOS is experimental.'] : [];
  const lacks = missing.length === 0 ? [] : [`The sandbox lacks: ${missing.join(', ')}.`];
  const against = [...trial, ...lacks];
  if (mustHold(options.mode, options.hosted) && against.length > 0) {
    await close();
    throw new PhotonError(
      'SANDBOX_UNAVAILABLE',
      [...against, ...sandboxAdvice(options.programs)].join(' '),
    );
  }
  // a hosted runner may have been prepared since
  const found =
    launcher.mounts && tried?.overlay === null && options.hosted ? await findViews() : tried;
  // without mounts of its own, a command could use the mounts of an overlay itself
  const overlay = launcher.mounts ? (found?.overlay ?? null) : null;
  const caches = overlay === null ? [] : (found?.mergeable ?? []);
  const settings = readNetworkSettings(options, machine, launcher);
  const egress = launcher.mounts ? await openHosts(options) : null;
  const prepare = (seen: Machine, command: Pick<CommandSpec, 'caller' | 'argv' | 'network'>) => {
    const { caller, argv, network } = command;
    if (!network || egress === null) return { machine: seen, argv, network, close: () => [] };
    const entered = egress.enter(seen, argv);
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
        watch: (pid, exceeded) => watchTree(pid, limitsOf(options), exceeded),
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
      const inside = { launcher, machine: shown, limits: limitsOf(options) };
      const end = await runInside(inside, { ...command, ...how });
      const connections = how.close();
      return egress === null || !command.network ? end : { ...end, connections };
    },
  };
}

/** What limits commands with a network to the listed hosts; null without such hosts. */
async function openHosts({ hosts, scratch, env, reach }: SandboxOptions): Promise<Egress | null> {
  if (hosts === undefined || hosts === null) return null;
  const { openEgress } = await import('./egress.ts');
  return openEgress(scratch, { hosts, env, ...(reach === undefined ? {} : { reach }) });
}

/** The settings of this machine for a set-up with a network, read at the first call. */
function readNetworkSettings(
  { env, scratch, log, hosts }: SandboxOptions,
  machine: Machine,
  { mounts }: Launcher,
) {
  let found: NetworkSettings | null = null;
  return () => {
    if (found !== null) return found;
    const folder = join(scratch, 'network');
    // an empty folder of each command, so that no view keeps a trace of the files
    const shownAt = mounts ? join(machine.emptyFolders[0] ?? '/run', 'photon-network') : folder;
    const home = env.HOME || thisPlatform.nowhere;
    const withProxies = !mounts || hosts === undefined || hosts === null;
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

async function runInside(inside: Inside, command: CommandSpec): Promise<CommandEnd> {
  const { launcher, machine, limits } = inside;
  const launch = launcher.launch(machine, command);
  const { account, ...end } = await runProcess({
    ...launch,
    timeoutMs: command.timeoutMs,
    maxOutputBytes: command.maxOutputBytes,
    signal: command.signal,
    ...(command.onOutput === undefined ? {} : { onOutput: command.onOutput }),
    watch: (pid, exceeded) => watchTree(pid, limits, exceeded),
  });
  return {
    ...end,
    began: !launch.accounts || account !== '',
    refusedConnections: command.network ? null : countRefused(account),
  };
}

function limitsOf({ memoryBytes, processes, scratch }: SandboxOptions): TreeLimits {
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

/** True for a launcher that was never run on its system. */
const isExperimental = ({ name }: Launcher) => name === 'seatbelt';

interface ProbedLauncher {
  readonly launcher: Launcher;
  readonly guarantees: readonly Guarantee[];
}

/**
 * Probes the launchers; on a hosted runner, prepares the machine and probes again when a guarantee is missing.
 * @returns the best launcher, and a function that undoes the preparation.
 */
async function chooseLauncher(options: SandboxOptions, machine: Machine) {
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0)) await step();
  };
  let best: ProbedLauncher | null = null;
  if (options.mode !== 'none') {
    best = await tryLaunchers(options, machine);
    if (!holdsAll(best) && options.hosted) {
      const restore = await allowNamespaces(options);
      if (restore !== null) {
        undo.push(restore);
        best = await tryLaunchers(options, machine);
      }
      const programs = holdsAll(best) ? null : await installBubblewrap(options);
      if (programs !== null) best = await tryLaunchers({ ...options, programs }, machine);
    }
  }
  if (best === null) {
    const launcher = plain(options.programs);
    best = { launcher, guarantees: await probe(launcher, options, machine) };
  }
  return { chosen: best, close };
}

const holdsAll = (tried: ProbedLauncher | null) => tried?.guarantees.every(g => g.holds) === true;

/** The first launcher for which every guarantee holds, else the one with the most; null when none works. */
async function tryLaunchers(
  options: SandboxOptions,
  machine: Machine,
): Promise<ProbedLauncher | null> {
  const { programs, scratch } = options;
  const folders = { rootFolder: join(scratch, 'root'), skeleton: join(scratch, 'skeleton') };
  const namespaces = namespacesLauncher(programs, folders, machine.links);
  // each needs programs that only its system has
  const launchers = [bubblewrap(programs), namespaces, seatbelt(programs)].filter(l => l !== null);
  let best: ProbedLauncher | null = null;
  const held = (tried: ProbedLauncher | null) => tried?.guarantees.filter(g => g.holds).length ?? 0;
  for (const launcher of launchers) {
    const tried = { launcher, guarantees: await probe(launcher, options, machine) };
    if (holdsAll(tried)) return tried;
    if (held(tried) > held(best)) best = tried;
  }
  return best;
}

async function probe(
  launcher: Launcher,
  options: SandboxOptions,
  machine: Machine,
): Promise<readonly Guarantee[]> {
  const { platform = thisPlatform } = options;
  if (!platform.isolates) return noGuarantees(options.hosts);
  // by these names, and by their real paths
  const covered = [options.env.HOME ?? '', ...options.hidePaths].filter(p => p !== '');
  const view = { path: join(options.scratch, 'probe'), enter: [], folders: [] };
  mkdirSync(view.path, { recursive: true });
  const node = realpathSync(process.execPath);
  // the view of the probe is empty, so it lacks a node that is a package of the checkout
  const own = isWithin(node, machine.workspacePath) ? [{ at: node, from: node }] : [];
  const seeing = { ...machine, parts: [...machine.parts, ...own] };
  const { scratch, token, hosts } = options;
  const launch = (shown: Machine, argv: readonly string[]) =>
    launcher.launch(shown, { argv, view, cwd: '.', network: false });
  const shown = coverSockets(seeing, []);
  // without mounts, the view of the probe is this folder, and the folders above it can be passed
  const inPlace = realpathSync(view.path);
  const isOnWay = (path: string) =>
    isWithin(inPlace, realPath(path) ?? path) || isWithin(path, inPlace);
  const guarantees = await probeGuarantees({
    launch: argv => launch(shown, argv),
    scratch,
    sh: options.programs.paths.sh ?? '/bin/sh',
    node,
    ps: options.programs.paths.ps ?? null,
    endsProcesses: launcher.mounts,
    token,
    writeTargets: [...new Set([dirname(options.scratch), '/var/tmp', '/tmp'])],
    guardedTargets: [...new Set([machine.workspacePath, machine.home, ...covered])],
    coveredPaths: coveredPaths(machine, covered).filter(p => launcher.mounts || !isOnWay(p)),
  });
  if (hosts === undefined || hosts === null) return guarantees;
  // the proxy needs a network of the command's own
  if (!launcher.mounts) return [...guarantees, { name: 'egress', holds: false }];
  const { probeEgress } = await import('./probe-egress.ts');
  return [...guarantees, await probeEgress({ machine: shown, launch, scratch, node, token })];
}
