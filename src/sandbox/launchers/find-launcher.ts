/** Finds the launcher for this machine: probes each one that it could use, and keeps why a probe failed (docs/sandbox.md). */
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Guarantee } from '../../base/outcome.ts';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { isWithin, realPath } from '../../workspace/files/locate.ts';
import { coveredPaths, coverSockets } from '../covered-paths.ts';
import type { MachineOptions } from '../probe/machine.ts';
import {
  limitedNames,
  type ProbeResult,
  probeEgress,
  probeGuarantees,
  probeServices,
} from '../probe/probe.ts';
import type { LauncherName } from '../sandbox.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Launcher, Machine } from './launcher.ts';
import { namespacesLauncher } from './namespaces.ts';
import { seatbelt } from './seatbelt.ts';

export interface ProbeSetting extends MachineOptions {
  /** An unguessable token that marks what belongs to this probe. */
  readonly token: string;
  /** The hosts that commands with a network can reach; undefined or absent for all. */
  readonly hosts?: readonly string[] | undefined;
  /** The services that every command can reach, as in the settings; none if absent. */
  readonly services?: readonly string[] | undefined;
  /** Longest time of a canary in milliseconds; absent except in tests. */
  readonly probeMs?: number | undefined;
}

/** A launcher whose canary answered. */
export interface ProbedLauncher {
  readonly launcher: Launcher;
  readonly guarantees: readonly Guarantee[];
}

/** What this machine has. None of these stands for another: only `probed` can run a command. */
export type LauncherResult =
  | ({ readonly kind: 'probed' } & ProbedLauncher)
  /** No launcher can work here: the programs are missing, or the system refuses. */
  | { readonly kind: 'none'; readonly why: string }
  /** A launcher should work here, and its canary gave no answer, twice. `reason` is what it printed instead. */
  | { readonly kind: 'failed'; readonly launcher: LauncherName; readonly reason: string };

/**
 * Probes the launchers of this machine. Returns the first for which every guarantee holds, or else the one with the most;
 * without an answer of any, why.
 */
export async function findLauncher(
  options: ProbeSetting,
  machine: Machine,
): Promise<LauncherResult> {
  const { programs, scratch } = options;
  const own = mkdtempSync(join(scratch, 'namespaces-'));
  const folders = {
    rootFolder: join(own, 'root'),
    skeleton: join(own, 'skeleton'),
    tables: join(own, 'tables'),
  };
  const namespaces = namespacesLauncher(programs, folders, machine.links);
  // each needs programs that only its system has
  const launchers = [bubblewrap(programs), namespaces, seatbelt(programs)].filter(
    l => l !== undefined,
  );
  const tried: LauncherResult[] = [];
  for (const launcher of launchers) {
    const found = await tryLauncher(launcher, options, machine);
    if (countHolding(found) === Number.POSITIVE_INFINITY) return found;
    tried.push(found);
  }
  const [best] = tried.toSorted((a, b) => countHolding(b) - countHolding(a));
  if (best === undefined) return { kind: 'none', why: 'the programs that make one are missing.' };
  const refused = best.kind === 'failed' ? await namespacesRefused(programs) : undefined;
  return refused === undefined ? best : { kind: 'none', why: refused };
}

/** How many guarantees hold; -1 without an answer. */
function countHolding(found: LauncherResult): number {
  if (found.kind !== 'probed') return -1;
  const holding = found.guarantees.filter(g => g.holds).length;
  return holding === found.guarantees.length ? Number.POSITIVE_INFINITY : holding;
}

/** A canary that gave no answer is started once more: the machine can have been suspended, or short of memory. */
async function tryLauncher(
  launcher: Launcher,
  options: ProbeSetting,
  machine: Machine,
): Promise<LauncherResult> {
  const first = await probe(launcher, options, machine);
  const last = first.answered ? first : await probe(launcher, options, machine);
  return last.answered
    ? { kind: 'probed', launcher, guarantees: last.guarantees }
    : { kind: 'failed', launcher: launcher.name, reason: last.reason };
}

/** What the system says if it lets nobody make a namespace; undefined if it does, or if nothing here can ask. */
async function namespacesRefused(programs: Programs): Promise<string | undefined> {
  const tools = pickPrograms(programs, ['unshare', 'sh']);
  if (tools === undefined) return undefined;
  const end = await runProcess({
    argv: [tools.unshare, '-U', '-r', '-m', tools.sh, '-c', ':'],
    cwd: '/',
    env: { LC_ALL: 'C' },
    timeoutMs: 20_000,
    maxOutputBytes: 1000,
    signal: new AbortController().signal,
  });
  const reason = end.output.trim().replaceAll('\n', ' ');
  return end.exitCode === 0 || end.limit !== undefined
    ? undefined
    : `the system lets this user make no namespaces (${reason || `unshare ended with ${end.exitCode ?? end.signal}`}).`;
}

async function probe(
  launcher: Launcher,
  options: ProbeSetting,
  machine: Machine,
): Promise<ProbeResult> {
  // by these names, and by their real paths
  const covered = [options.env.HOME ?? '', ...options.hidePaths].filter(p => p !== '');
  const view = { path: join(options.scratch, 'probe'), enter: [], folders: [] };
  mkdirSync(view.path, { recursive: true });
  const node = realpathSync(process.execPath);
  // the view of the probe is empty, so it lacks a node that is a package of the checkout
  const own = isWithin(node, machine.workspacePath) ? [{ at: node, from: node }] : [];
  const seeing = { ...machine, parts: [...machine.parts, ...own] };
  const { scratch, token } = options;
  const launch = (shown: Machine, argv: readonly string[]) =>
    launcher.launch(shown, { argv, view, cwd: '.', network: false });
  const shown = coverSockets(seeing, []);
  // without mounts, the view of the probe is this folder, and the folders above it can be passed
  const inPlace = realpathSync(view.path);
  const isOnWay = (path: string) =>
    isWithin(inPlace, realPath(path) ?? path) || isWithin(path, inPlace);
  const writeTargets = [...new Set([dirname(scratch), '/var/tmp', '/tmp'])];
  const found = coveredPaths(machine, covered).filter(p => launcher.mounts || !isOnWay(p));
  // Photon's own file is there on every machine
  const mustBeAbsent = [...found, machine.nothing];
  const probed = await probeGuarantees({
    launch: argv => launch(shown, argv),
    scratch,
    sh: options.programs.paths.sh ?? '/bin/sh',
    node,
    ps: options.programs.paths.ps,
    endsProcesses: launcher.mounts,
    token,
    maxMs: options.probeMs,
    writeTargets,
    guardedTargets: [...new Set([machine.workspacePath, machine.home, ...covered])],
    // without mounts, a command can pass these folders themselves, but finds nothing in them
    coveredPaths: launcher.mounts ? [...mustBeAbsent, ...writeTargets] : mustBeAbsent,
  });
  if (!probed.answered) return probed;
  const probes = { egress: probeEgress, services: probeServices };
  const inlets = await Promise.all(
    limitedNames(options).map(async name => {
      // an inlet needs a network of the command's own
      if (!launcher.mounts) return { name, holds: false };
      const own = { scratch: join(scratch, name), machine: shown, launch, node, token };
      return { name, holds: await probes[name](own) };
    }),
  );
  return { ...probed, guarantees: [...probed.guarantees, ...inlets] };
}
