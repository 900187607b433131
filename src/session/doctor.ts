/** What this machine can give a run: programs, and the walls of its sandbox as the probe sees them. */
import { randomBytes } from 'node:crypto';
import { delimiter } from 'node:path';
import type { Guarantee } from '../outcome.ts';
import type { Environment } from './environment.ts';
import { sandboxAdvice } from './machine.ts';
import { openSandbox } from './open-sandbox.ts';
import { runProcess } from './process.ts';
import { makeOutFolder, openRunFolder } from './run-folder.ts';

export interface MachineReport {
  readonly node: string;
  /** What `git --version` says; empty when there is no git. */
  readonly git: string;
  readonly launcher: string;
  /** How a command sees the checkout: merged over it, or as a copy. */
  readonly views: 'overlay' | 'copy';
  readonly guarantees: readonly Guarantee[];
  /** What to do for each thing that is missing. */
  readonly advice: readonly string[];
}

/** Probes the machine with the launcher that commands would use; changes nothing on it. */
export async function examineMachine(env: Environment, workspace: string): Promise<MachineReport> {
  const folder = openRunFolder(makeOutFolder(null), 'doctor');
  try {
    const sandbox = await openSandbox({
      ...{ mode: 'auto', hosted: false, workspacePath: workspace, scratch: folder.scratch },
      ...{ hidePaths: [], readPaths: [], env, extraEnv: [], log: () => {} },
      ...{ memoryBytes: null, processes: null },
      token: `photon${randomBytes(8).toString('hex')}`,
    });
    const { launcher, guarantees, support } = sandbox;
    await sandbox.close();
    const git = await versionOf(['git', '--version'], env);
    const missing = guarantees.filter(g => !g.holds).map(g => g.name);
    return {
      ...{ node: process.version, git, launcher, guarantees },
      views: support.overlay === null ? 'copy' : 'overlay',
      advice: [
        ...(git === '' ? ['Install git; a run reads the repository through it.'] : []),
        ...(missing.length === 0 ? [] : sandboxAdvice({ env, workspacePath: workspace })),
      ],
    };
  } finally {
    folder.discard();
  }
}

async function versionOf(argv: readonly string[], env: Environment): Promise<string> {
  const safe = (env.PATH ?? '').split(delimiter).filter(p => p.startsWith('/'));
  const end = await runProcess({
    ...{ argv, cwd: '/', env: { PATH: safe.join(delimiter) } },
    ...{ timeoutMs: 10_000, maxOutputBytes: 1000, signal: new AbortController().signal },
  });
  return end.exitCode === 0 ? end.output.trim() : '';
}
