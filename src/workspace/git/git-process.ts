/** Starts git so that no configuration of the repository or the user can run a program. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import { requirePipes } from '../../process/run-process.ts';
import { nowhere } from '../../process/system.ts';

/** The environment of every git process. */
const gitEnv = (searchPath: string) => ({
  PATH: searchPath,
  HOME: nowhere,
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
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

/** The working folder of git, and the programs of this machine. */
export interface GitContext {
  readonly cwd: string;
  readonly programs: Programs;
}

export interface GitCommand extends GitContext {
  readonly args: readonly string[];
  /** Variables to set; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Arguments in front of git, for example to mount a view for it. */
  readonly enter?: readonly string[];
  readonly input?: string | Uint8Array;
  /** Kill git after this time; default 60 s. */
  readonly timeoutMs?: number;
  /** Kill git after this many bytes of output and return what was read; default 512 MiB. */
  readonly maxBytes?: number;
  /** Exit statuses besides 0 that are not failures. */
  readonly accept?: readonly number[];
}

interface GitResult {
  readonly stdout: Buffer;
  readonly exitCode: number | undefined;
  readonly truncated: boolean;
  readonly stderr: string;
}

function getGitPath({ programs }: GitContext): string {
  if (programs.paths.git !== undefined) return programs.paths.git;
  throw new PhotonError(
    'GIT',
    'git was not found in any folder of the PATH outside the checkout.',
    { hint: 'Install git.' },
  );
}

/** Starts a long-running git process (`cat-file --batch`). */
export function spawnGit(
  args: readonly string[],
  place: GitContext,
): ChildProcessWithoutNullStreams {
  return requirePipes(
    spawn(getGitPath(place), [...safe, ...args], {
      cwd: place.cwd,
      env: gitEnv(place.programs.searchPath),
      stdio: 'pipe',
    }),
  );
}

/** Runs git on the private directory. */
export type GitRunner = (args: readonly string[], more?: Partial<GitCommand>) => Promise<GitResult>;

const running = new Set<ChildProcessWithoutNullStreams>();
// nothing else would end a long search that was abandoned
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs git until it ends or this process exits.
 * @throws PhotonError `GIT` with git's error message when it fails or cannot be started; `SYSTEM_LIMIT`.
 */
export async function runGit(command: GitCommand): Promise<GitResult> {
  const git = getGitPath(command);
  // the start would fail with a message about git, and leave a timer that keeps the process
  if (!existsSync(command.cwd))
    throw new PhotonError('GIT', `The folder ${command.cwd} does not exist.`);
  const [program = git, ...argv] = [...(command.enter ?? []), git, ...safe, ...command.args];
  const child = requirePipes(
    spawn(program, argv, {
      cwd: command.cwd,
      env: { ...gitEnv(command.programs.searchPath), ...command.env },
      stdio: 'pipe',
      timeout: command.timeoutMs ?? 60_000,
      killSignal: 'SIGKILL',
    }),
  );
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
  child.stdin.on('error', () => {}); // when git ends early, its exit status gives the reason
  child.stdin.end(command.input);
  running.add(child);
  const exitCode = await waitForExit(child).finally(() => running.delete(child));
  const accepted = exitCode === 0 || truncated || (command.accept ?? []).includes(exitCode ?? -1);
  if (!accepted) {
    throw new PhotonError(
      'GIT',
      `git ${command.args.find(a => /^[a-z]+(-[a-z]+)*$/.test(a))} failed: ${stderr.trim().slice(0, 500) || `exit ${exitCode}`}`,
    );
  }
  return { stdout: Buffer.concat(out), exitCode, truncated, stderr: stderr.trim().slice(0, 500) };
}

/** The full id of the commit that a name of the user stands for in the repository; undefined when it names none. */
export async function resolveCommit(name: string, place: GitContext): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { exitCode, stdout } = await runGit({ ...place, args, accept: [1, 128] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

function waitForExit(child: ChildProcessWithoutNullStreams): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    child.on('error', cause =>
      reject(new PhotonError('GIT', `git cannot be started: ${cause.message}`, { cause })),
    );
    child.on('close', code => resolve(code ?? undefined));
  });
}

/** The records of a listing that git ends with NUL (`-z`). */
export function splitRecords(listing: Buffer): readonly string[] {
  return listing
    .toString('utf8')
    .split('\0')
    .filter(record => record !== '');
}
