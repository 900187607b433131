/** `photon doctor`: the programs of this machine, and the sandbox guarantees that the probe confirms. */
import { randomBytes } from 'node:crypto';
import type { Guarantee } from '../outcome.ts';
import type { Environment } from '../process/environment.ts';
import type { Programs } from '../process/programs.ts';
import { runProcess } from '../process/run-process.ts';
import { makeOutFolder, openRunFolder } from '../workspace/files/run-folder.ts';
import { sandboxAdvice } from './advice.ts';
import { openSandbox } from './open-sandbox.ts';

export interface MachineReport {
  readonly node: string;
  /** Output of `git --version`; empty when git is missing. */
  readonly git: string;
  /** Paths of the programs that Photon starts. */
  readonly programs: Programs['paths'];
  readonly launcher: string;
  /** How a command sees the checkout: through an overlay, or as a copy. */
  readonly views: 'overlay' | 'copy';
  readonly guarantees: readonly Guarantee[];
  /** What to do about each missing program or guarantee. */
  readonly advice: readonly string[];
}

export interface Examined {
  readonly env: Environment;
  readonly programs: Programs;
  /** The checkout. */
  readonly workspacePath: string;
  /** The hosts of the setting `network`, which are probed, too; null for none. */
  readonly hosts: readonly string[] | null;
}

/** Probes the machine with the launcher that commands would use. Changes nothing on the machine. */
export async function examineMachine(examined: Examined): Promise<MachineReport> {
  const { programs } = examined;
  const folder = openRunFolder(makeOutFolder(null), 'doctor');
  try {
    const sandbox = await openSandbox({
      ...examined,
      mode: 'auto',
      hosted: false,
      scratch: folder.scratch,
      hidePaths: [],
      readPaths: [],
      extraEnv: [],
      log: () => {},
      memoryBytes: null,
      processes: null,
      token: `photon${randomBytes(8).toString('hex')}`,
    });
    const { launcher, guarantees, support } = sandbox;
    await sandbox.close();
    const git = programs.paths.git === undefined ? '' : await versionOf(programs.paths.git);
    const missing = guarantees.filter(g => !g.holds).map(g => g.name);
    return {
      node: process.version,
      git,
      programs: programs.paths,
      launcher,
      views: support.overlay === null ? 'copy' : 'overlay',
      guarantees,
      advice: [
        ...(git === '' ? ['Install git. A run reads the repository through it.'] : []),
        ...(launcher === 'plain' && programs.paths['sandbox-exec'] !== undefined ? [nested] : []),
        ...(missing.length === 0 ? [] : adviceOn(missing, programs)),
      ],
    };
  } finally {
    folder.discard();
  }
}

async function versionOf(program: string): Promise<string> {
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

/** What to do about missing guarantees; never nothing. */
function adviceOn(missing: readonly string[], programs: Programs) {
  const known = sandboxAdvice(programs);
  if (known.length > 0) return known;
  const names = missing.join(', ');
  return [
    `Run Photon on a machine or in a container that allows user namespaces. Until then, a run goes on without: ${names}.`,
  ];
}
