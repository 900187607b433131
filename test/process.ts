/** Starts Photon, as the Action or the command line: as a process of its own, or in one that others shared. */
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { runInHost } from './doubles/host-pool.ts';
import { root } from './root.ts';
import { isAll, randomOf } from './seed.ts';

export interface PhotonStart {
  /** Arguments of the command line; null starts the Action. */
  readonly args: readonly string[] | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What tells this start from others, for the choice of its process; default: the arguments. */
  readonly name?: string;
  /** Argv to start the program through, which gives it a process of its own; so does `nodeArgs`. */
  readonly through?: readonly string[] | undefined;
  readonly nodeArgs?: readonly string[] | undefined;
  /** Called with the process of its own as soon as it runs. */
  readonly started?: ((child: ChildProcess) => void) | undefined;
  readonly onOutput?: (text: string) => void;
  /** A start that takes longer is killed, so that it fails its test and does not outlive it. */
  readonly timeoutMs?: number | undefined;
}

export interface PhotonEnd {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built program, or its source in a shared process, to its end. */
export async function startPhoton(start: PhotonStart): Promise<PhotonEnd> {
  const { args, cwd, env, onOutput, timeoutMs = 100_000 } = start;
  if (mayShare(start)) {
    const shared = { ...env, PATH: withoutNpm(env.PATH ?? '') };
    return runInHost({ args, cwd, env: shared }, { timeoutMs, ...(onOutput ? { onOutput } : {}) });
  }
  const program = join(root, 'dist', args === null ? 'index.js' : 'cli/index.js');
  const argv = [process.execPath, ...(start.nodeArgs ?? []), program, ...(args ?? [])];
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
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, ...end };
}

/** The PATH with a stand-in for npm, whose start takes longer than what it starts. */
export function withoutNpm(searchPath: string): string {
  const doubles = join(root, 'test', 'doubles', 'bin');
  const isAlone = isAll || searchPath.startsWith(doubles);
  return isAlone ? searchPath : [doubles, searchPath].join(delimiter);
}

/** One start of so many has a process of its own all the same; under `npm run test:all` each has. */
const ownProcessOf = 80;

/** May this start share a process with others? Not outside the tests, nor when the process is looked at. */
function mayShare({ args, name, through, nodeArgs, started }: PhotonStart): boolean {
  if (isAll || process.env.VITEST === undefined || through || nodeArgs || started) return false;
  return randomOf(`process of ${name ?? args?.join(' ')}`)() >= 1 / ownProcessOf;
}
