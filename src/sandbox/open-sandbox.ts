/** Opens a sandbox: takes the first launcher for which the probe confirms every guarantee (docs/sandbox.md). */
import { mkdirSync, realpathSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { PhotonError } from '../codes.ts';
import type { Guarantee } from '../outcome.ts';
import { type TreeLimits, watchTree } from '../process/process-watch.ts';
import { runProcess, startProcess } from '../process/run-process.ts';
import { isWithin } from '../workspace/files/locate.ts';
import { findOverlay, mergeable } from '../workspace/views/overlay.ts';
import { coveredPaths, coverSockets } from './covered-paths.ts';
import { allowNamespaces, installBubblewrap } from './hosted-runner.ts';
import { bubblewrap } from './launch-bubblewrap.ts';
import { namespacesLauncher } from './launch-namespaces.ts';
import { plain } from './launch-plain.ts';
import type { Launcher, Machine } from './launcher.ts';
import { describeMachine, type MachineOptions, sandboxAdvice } from './machine.ts';
import { countRefused } from './network-account.ts';
import { probeGuarantees } from './probe.ts';
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
}

/** Bytes of disk that a command must leave free, so that Photon can still record how it ended. */
const reserveBytes = 134_217_728;

/**
 * Opens the best sandbox that this machine supports.
 * @throws PhotonError `SANDBOX_UNAVAILABLE` when the mode requires a guarantee that does not hold.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machine = describeMachine(options);
  const { chosen, close } = await chooseLauncher(options, machine);
  const { launcher, guarantees } = chosen;
  const missing = guarantees.filter(g => !g.holds).map(g => g.name);
  if (mustHold(options.mode, options.hosted) && missing.length > 0) {
    await close();
    const lacks = `The sandbox lacks: ${missing.join(', ')}.`;
    throw new PhotonError(
      'SANDBOX_UNAVAILABLE',
      [lacks, ...sandboxAdvice(options.programs)].join(' '),
    );
  }
  // the plain launcher gets no overlay: without a sandbox, a command could use the same mounts itself
  const { scratch, programs } = options;
  const search = { checkout: machine.workspacePath, scratch, programs };
  const overlay = launcher.name === 'plain' ? null : await findOverlay(search);
  const caches = overlay === null ? [] : await mergeable(overlay, search, machine.caches);
  return {
    launcher: launcher.name,
    guarantees,
    support: { overlay, home: machine.home, caches, heldFolders: machine.heldFolders },
    close,
    start: command =>
      startProcess({
        ...launcher.launch(coverSockets(machine, caches), command),
        watch: (pid, exceeded) => watchTree(pid, limitsOf(options), exceeded),
      }),
    run: command =>
      runInside(
        { launcher, machine: coverSockets(machine, caches), limits: limitsOf(options) },
        command,
      ),
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
  if (options.mode !== 'none' && process.platform === 'linux') {
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
  const rootFolder = join(options.scratch, 'root');
  mkdirSync(rootFolder, { recursive: true });
  const { programs } = options;
  const launchers = [bubblewrap(programs), namespacesLauncher(programs, rootFolder)].filter(
    l => l !== null,
  );
  let best: ProbedLauncher | null = null;
  const held = (tried: ProbedLauncher | null) => tried?.guarantees.filter(g => g.holds).length ?? 0;
  for (const launcher of launchers) {
    const tried = { launcher, guarantees: await probe(launcher, options, machine) };
    if (holdsAll(tried)) return tried;
    if (held(tried) > held(best)) best = tried;
  }
  return best;
}

function probe(
  launcher: Launcher,
  options: SandboxOptions,
  machine: Machine,
): Promise<readonly Guarantee[]> {
  // by these names, and by their real paths
  const covered = [options.env.HOME ?? '', ...options.hidePaths].filter(p => p !== '');
  const view = { path: options.scratch, enter: [], folders: [] };
  const node = realpathSync(process.execPath);
  // the view of the probe is empty, so it lacks a node that is a package of the checkout
  const own = isWithin(node, machine.workspacePath) ? [{ at: node, from: node }] : [];
  const seeing = { ...machine, parts: [...machine.parts, ...own] };
  return probeGuarantees({
    launch: argv =>
      launcher.launch(coverSockets(seeing, []), { argv, view, cwd: '.', network: false }),
    scratch: options.scratch,
    sh: options.programs.paths.sh ?? '/bin/sh',
    node,
    token: options.token,
    writeTargets: [...new Set([dirname(options.scratch), '/var/tmp', '/tmp'])],
    guardedTargets: [...new Set([machine.workspacePath, machine.home, ...covered])],
    coveredPaths: coveredPaths(machine, covered),
  });
}
