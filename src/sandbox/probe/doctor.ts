/** `photon doctor`: the programs of this machine, and the sandbox guarantees that the probe confirms. */
import { randomBytes } from 'node:crypto';
import type { Guarantee } from '../../base/outcome.ts';
import type { Environment } from '../../process/environment.ts';
import type { Programs } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { openRunFolder, withScratchFolder } from '../../workspace/files/run-folder.ts';
import { findOverlay } from '../../workspace/views/overlay.ts';
import { findLauncher, type LauncherResult } from '../launchers/find-launcher.ts';
import type { LauncherName } from '../sandbox.ts';
import { sandboxAdvice } from './advice.ts';
import { describeMachine } from './machine.ts';
import { type LimitedNetwork, noGuarantees } from './probe.ts';

export interface MachineReport {
  readonly node: string;
  /** Output of `git --version`; empty when git is missing. */
  readonly git: string;
  /** Paths of the programs that Photon starts. */
  readonly programs: Programs['paths'];
  /** The launcher whose probe answered; undefined without one. */
  readonly launcher: LauncherName | undefined;
  /** Why there is no sandbox, or what its probe printed instead of an answer; undefined if there is one. */
  readonly problem: string | undefined;
  /** How a command sees the checkout: through an overlay, or as a copy. */
  readonly views: 'overlay' | 'copy';
  readonly guarantees: readonly Guarantee[];
  /** What to do about each missing program or guarantee. */
  readonly advice: readonly string[];
}

/** The hosts and services of the settings are probed, too. */
interface ExaminationTarget extends LimitedNetwork {
  readonly env: Environment;
  readonly programs: Programs;
  /** The checkout. */
  readonly workspacePath: string;
}

/**
 * Probes the machine with the launcher that commands would use. Changes nothing on the machine.
 * @throws PhotonError `DISK`, `SYSTEM_LIMIT`.
 */
export function examineMachine(examined: ExaminationTarget): Promise<MachineReport> {
  return withScratchFolder(root => examineFrom(root, examined));
}

async function examineFrom(root: string, examined: ExaminationTarget): Promise<MachineReport> {
  const { programs } = examined;
  const folder = openRunFolder(root, 'doctor');
  const { scratch } = folder;
  const token = `photon${randomBytes(8).toString('hex')}`;
  const options = { ...examined, scratch, token, hidePaths: [], readPaths: [], extraEnv: [] };
  try {
    const machine = describeMachine(options);
    const found = await findLauncher(options, machine);
    const search = { checkout: machine.workspacePath, scratch, programs };
    const isMounted = found.kind === 'probed' && found.launcher.mounts;
    const { overlay } = isMounted ? await findOverlay(search) : { overlay: undefined };
    const git = programs.paths.git === undefined ? '' : await readVersion(programs.paths.git);
    const guarantees = found.kind === 'probed' ? found.guarantees : noGuarantees(examined);
    return {
      node: process.version,
      git,
      programs: programs.paths,
      launcher: found.kind === 'probed' ? found.launcher.name : undefined,
      problem: describeProblem(found),
      views: overlay === undefined ? 'copy' : 'overlay',
      guarantees,
      advice: [
        git === '' ? 'Install git. A run reads the repository through it.' : undefined,
        ...adviceOn(found, programs),
      ].filter(item => item !== undefined),
    };
  } finally {
    folder.discard();
  }
}

/** Why there is no sandbox; undefined if there is one. */
function describeProblem(found: LauncherResult): string | undefined {
  if (found.kind === 'none') return `none: ${found.why}`;
  return found.kind === 'failed'
    ? `the probe of ${found.launcher} failed: ${found.reason}`
    : undefined;
}

async function readVersion(program: string): Promise<string> {
  const end = await runProcess({
    argv: [program, '--version'],
    cwd: '/',
    env: {},
    timeoutMs: 10_000,
    maxOutputBytes: 1000,
    signal: new AbortController().signal,
  });
  return end.exitCode === 0 ? end.output.trim() : '';
}

const nested =
  'sandbox-exec could not start a command. If Photon runs inside another sandbox, such as that of a coding tool, start it outside.';

/** What to do if a guarantee is missing; never nothing. */
function adviceOn(found: LauncherResult, programs: Programs): readonly string[] {
  const lacks = found.kind === 'probed' ? found.guarantees.filter(g => !g.holds) : undefined;
  if (lacks?.length === 0) return [];
  const isNested = found.kind === 'failed' && found.launcher === 'seatbelt';
  const known = [isNested ? nested : undefined, ...sandboxAdvice(programs)].filter(
    item => item !== undefined,
  );
  if (known.length > 0) return known;
  const until =
    lacks === undefined
      ? 'Until then, only sandbox: none lets a run start commands.'
      : `Until then, a run at the terminal goes on without: ${lacks.map(g => g.name).join(', ')}.`;
  return [`Run Photon on a machine or in a container that allows user namespaces. ${until}`];
}
