/** Starts what ships, as the Action or the command line: a process of the built `dist/`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { TestRunner } from 'vitest';
import { has, needs } from './programs.ts';
import { root } from './root.ts';

export interface PhotonStart {
  /** Arguments of the command line; undefined starts the Action. */
  readonly args: readonly string[] | undefined;
  /** Argv of another Node and entry point, such as a copy of what ships. */
  readonly program?: readonly string[] | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Argv to start the program through. */
  readonly through?: readonly string[] | undefined;
  readonly nodeArgs?: readonly string[] | undefined;
  /** Called with the process as soon as it runs. */
  readonly started?: ((child: ChildProcess) => void) | undefined;
  readonly onOutput?: (text: string) => void;
  /** A start that takes longer is killed, so that it fails its test and does not outlive it. */
  readonly timeoutMs?: number | undefined;
}

export interface PhotonEnd {
  /** Null when it was killed. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs the built program to its end. */
export async function startPhoton(start: PhotonStart): Promise<PhotonEnd> {
  const { args, cwd, env, onOutput, timeoutMs = 100_000 } = start;
  const entry = join(root, 'dist', args === undefined ? 'index.js' : 'photon.js');
  const program = start.program ?? [process.execPath, ...(start.nodeArgs ?? []), entry];
  const argv = [...program, ...(args ?? [])];
  const [command = '', ...rest] = [...(start.through ?? []), ...argv];
  const child = spawn(command, rest, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const end = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream?.on('data', chunk => {
      end[name] += chunk;
      onOutput?.(String(chunk));
    });
  start.started?.(child);
  const code = await new Promise<number | undefined>(done =>
    child.on('close', code => done(code ?? undefined)),
  );
  skipWithoutSandbox(`${end.out}${end.err}`);
  return { code, ...end };
}

/** Where nobody can make a sandbox, a test whose run needs one is skipped by name. */
function skipWithoutSandbox(output: string): void {
  if (!output.includes('SANDBOX_UNAVAILABLE') || has('namespaces')) return;
  TestRunner.getCurrentTest()?.context.skip(`${needs('namespaces')} a run had no sandbox`);
}
