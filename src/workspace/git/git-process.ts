/** Starts git with nothing of the repository's or the user's configuration able to run (THREATS 3.6). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PhotonError } from '../../codes.ts';
import type { Programs } from '../../process/programs.ts';

/** Environment of every git that Photon starts. */
const gitEnv = (searchPath: string) => ({
  PATH: searchPath,
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
});

const safe = [
  '-c',
  'safe.directory=*',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
];

/** Where git runs, and the programs of this machine. */
export interface GitPlace {
  readonly cwd: string;
  readonly programs: Programs;
}

export interface GitCommand extends GitPlace {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Argv in front of git, such as one that mounts a view for it. */
  readonly enter?: readonly string[];
  readonly input?: string | Uint8Array;
  /** Kill after this long; default 60 s. */
  readonly timeoutMs?: number;
  /** Stop reading (and kill) after this many bytes; the part read is returned. Default 512 MiB. */
  readonly maxBytes?: number;
  /** Exit statuses that are an answer, not a failure. */
  readonly accept?: readonly number[];
}

export interface GitResult {
  readonly stdout: Buffer;
  readonly exitCode: number | null;
  readonly truncated: boolean;
  readonly stderr: string;
}

function gitOf({ programs }: GitPlace): string {
  if (programs.paths.git !== undefined) return programs.paths.git;
  throw new PhotonError('GIT', 'git is on no folder of the PATH outside of the checkout.');
}

/** Starts a git that stays (`cat-file --batch`). */
export function spawnGit(args: readonly string[], place: GitPlace): ChildProcessWithoutNullStreams {
  return spawn(gitOf(place), [...safe, ...args], {
    cwd: place.cwd,
    env: gitEnv(place.programs.searchPath),
    stdio: 'pipe',
  });
}

const running = new Set<ChildProcessWithoutNullStreams>();
// a search that was given up may go on for long, and nothing would end it
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs git to its end, or to that of this process.
 * @throws PhotonError `GIT` with what git said when it fails or cannot be started.
 */
export async function runGit(command: GitCommand): Promise<GitResult> {
  const git = gitOf(command);
  const [program = git, ...argv] = [...(command.enter ?? []), git, ...safe, ...command.args];
  const child = spawn(program, argv, {
    cwd: command.cwd,
    env: { ...gitEnv(command.programs.searchPath), ...command.env },
    stdio: 'pipe',
    timeout: command.timeoutMs ?? 60_000,
    killSignal: 'SIGKILL',
  });
  const max = command.maxBytes ?? 512 * 1024 * 1024;
  const out: Buffer[] = [];
  let size = 0;
  let truncated = false;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (truncated) return;
    out.push(chunk);
    size += chunk.length;
    if (size > max) {
      truncated = true;
      child.kill('SIGKILL');
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => {}); // a git that ends early closes its input; its exit tells why
  child.stdin.end(command.input);
  running.add(child);
  const exitCode = await ended(child).finally(() => running.delete(child));
  const accepted = exitCode === 0 || truncated || (command.accept ?? []).includes(exitCode ?? -1);
  if (!accepted) {
    throw new PhotonError(
      'GIT',
      `git ${command.args.find(a => /^[a-z]+(-[a-z]+)*$/.test(a))} failed: ${stderr.trim().slice(0, 500) || `exit ${exitCode}`}`,
    );
  }
  return { stdout: Buffer.concat(out), exitCode, truncated, stderr: stderr.trim().slice(0, 500) };
}

function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', cause =>
      reject(new PhotonError('GIT', `git cannot be started: ${cause.message}`, { cause })),
    );
    child.on('close', code => resolve(code));
  });
}
