/** Runs a command to its end, with limits on time and output, and kills its process group afterwards. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Duplex, Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { PhotonError } from '../base/codes.ts';
import type { Limit } from '../base/outcome.ts';
import { attempt } from '../base/system-errors.ts';
import { isRunning, killNamespaceInit } from './process-watch.ts';

export interface ProcessSpec {
  /** Program and arguments; a shell line is `['sh', '-c', line]`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Maximum bytes of output to keep (head and tail); the rest is counted and dropped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Watches the started process and returns a function that ends the watch. */
  readonly watch?: (pid: number, exceeded: (limit: Limit) => void) => () => void;
  /** Called with each piece of output as it arrives. */
  readonly onOutput?: (chunk: Buffer) => void;
  /**
   * True: what the program writes to descriptor 3 becomes `account` of the result. The first piece is answered with a
   * line if the started process still runs; otherwise the descriptor is closed.
   */
  readonly accounts?: boolean;
}

export interface ProcessEnd {
  /** The exit status; undefined when a signal or a limit ended the command. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The limit that it exceeded; undefined when none did. */
  readonly limit: Limit | undefined;
  readonly cancelled: boolean;
  /** Standard output and error in the order they arrived; a line inside names what was cut, if anything was. */
  readonly output: string;
  readonly outputBytes: number;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** At most 64 KiB; empty when the program wrote nothing there. */
  readonly account: string;
}

const graceMs = 2_000;
const accountBytes = 65_536;
/** A program that prints more is stopped. */
const maxOutputBytes = 1_073_741_824;

/**
 * Runs a program. When it cannot be started, the exit code is undefined and the output gives the reason.
 * @throws PhotonError `SYSTEM_LIMIT` if this process may open no more files.
 */
export function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  const started = process.hrtime.bigint();
  const durationMs = () => Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  const output = boundedOutput(spec.maxOutputBytes);
  const state: { limit: Limit | undefined; cancelled: boolean } = {
    limit: undefined,
    cancelled: false,
  };
  const account = boundedOutput(accountBytes);
  return new Promise(resolve => {
    const finish = (exitCode: number | undefined, signal: string | undefined) => {
      const limited = state.limit !== undefined || state.cancelled;
      resolve({
        exitCode: limited ? undefined : exitCode,
        signal,
        ...state,
        ...output.end(),
        account: account.end().output,
        durationMs: durationMs(),
      });
    };
    if (spec.signal.aborted) {
      state.cancelled = true;
      finish(undefined, undefined);
      return;
    }
    const { fourth, stop, ...launched } = launch(spec, 'ignore');
    const child = launched.child as ChildProcessByStdio<null, Readable, Readable>;
    const exceed = (limit: Limit) => {
      state.limit ??= limit;
      stop(limit === 'time' ? 'gently' : 'at once');
    };
    const timer = setTimeout(() => exceed('time'), spec.timeoutMs);
    const unwatch = child.pid === undefined ? undefined : spec.watch?.(child.pid, exceed);
    const cancel = () => {
      state.cancelled = true;
      stop();
    };
    spec.signal.addEventListener('abort', cancel, { once: true });
    const take = (chunk: Buffer) => {
      spec.onOutput?.(chunk);
      if (output.add(chunk) > maxOutputBytes) exceed('output');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    fourth?.on('data', account.add);
    const settle = (exitCode: number | undefined, signal: string | undefined) => {
      clearTimeout(timer);
      unwatch?.();
      spec.signal.removeEventListener('abort', cancel);
      stop.end();
      finish(exitCode, signal);
    };
    child.on('error', error => {
      output.add(Buffer.from(`${spec.argv[0]}: ${error.message}\n`));
      settle(undefined, undefined);
    });
    // a grandchild can keep the pipes open after the command itself has ended
    child.on('exit', (code, signal) => {
      stop.exited();
      const wait = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        fourth?.destroy();
      }, graceMs);
      child.on('close', () => {
        clearTimeout(wait);
        settle(code ?? undefined, signal ?? undefined);
      });
    });
  });
}

/**
 * Starts a program that runs until it is stopped, ends by itself, or exceeds a limit.
 * @throws PhotonError `SYSTEM_LIMIT` if this process may open no more files.
 */
export function startProcess(
  spec: Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'watch' | 'accounts'>,
): Running {
  const { stop: stopTree, ...launched } = launch(spec, 'pipe');
  const child = launched.child as ChildProcessByStdio<Writable, Readable, Readable>;
  const errors = boundedOutput(1_000);
  const stop = () => stopTree('at once');
  const unwatch = child.pid === undefined ? undefined : spec.watch?.(child.pid, stop);
  child.stdin.on('error', () => {}); // the exit handler reports it
  child.stderr.on('data', errors.add);
  const ended = new Promise<void>(resolve => {
    const settle = () => {
      unwatch?.();
      stopTree.exited();
      stopTree.end();
      // what it wrote last can arrive after its end; a process that it left can keep the pipe open
      const { stderr } = child;
      if (stderr.closed) {
        resolve();
        return;
      }
      const wait = setTimeout(() => stderr.destroy(), graceMs);
      stderr.once('close', () => {
        clearTimeout(wait);
        resolve();
      });
    };
    child.on('error', error => {
      errors.add(Buffer.from(`${spec.argv[0]}: ${error.message}\n`));
      settle();
    });
    child.on('exit', settle);
  });
  const { stdin: input, stdout: output } = child;
  return { input, output, ended, stop, errors: () => errors.end().output.trim() };
}

type LaunchSpec = Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'accounts'>;

/** Starts a program, and what stops it and all that it started: it leads a process group. */
function launch(
  { argv: [file = '', ...args], cwd, env, accounts }: LaunchSpec,
  input: 'ignore' | 'pipe',
) {
  const stdio: ('ignore' | 'pipe' | number)[] = [input, 'pipe', 'pipe'];
  const nothing = openSync('/dev/null', 'r+');
  for (const left of listInheritable()) stdio[left] = nothing;
  if (accounts === true) stdio[3] = 'pipe';
  const whole = Array.from(stdio, each => each ?? 'ignore');
  try {
    const child = requirePipes(spawn(file, args, { detached: true, cwd, env, stdio: whole }));
    const fourth = answerDescriptor(child);
    return { child, fourth, stop: stopper(child.pid, fourth) };
  } catch (error) {
    // a descriptor beyond the limit of this process cannot be replaced
    throw Reflect.get(Object(error), 'code') === 'EINVAL' ? noMoreFiles(file) : error;
  } finally {
    closeSync(nothing);
  }
}

/**
 * The descriptors above 2 that whoever started this process left open for the programs that it starts; those of Node close
 * by themselves. Empty on a system without /proc.
 */
function listInheritable(): readonly number[] {
  const closes = 0o2000000; // O_CLOEXEC
  const open = attempt(() => readdirSync('/proc/self/fd').map(Number)) ?? [];
  return open.filter(fd => fd > 2 && (readFlags(fd) & closes) === 0);
}

/** The flags of a descriptor; those of one that is closed by now say that it closes by itself. */
function readFlags(fd: number): number {
  const info = attempt(() => readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'));
  return info === undefined ? -1 : Number.parseInt(/^flags:\s+([0-7]+)/m.exec(info)?.[1] ?? '', 8);
}

/** Descriptor 3 of a process, which is answered; undefined without one. */
function answerDescriptor({ pid, stdio }: Pick<ChildProcess, 'pid' | 'stdio'>): Duplex | undefined {
  const fourth = (stdio[3] ?? undefined) as Duplex | undefined;
  fourth?.once('data', () => {
    if (pid !== undefined && isRunning(pid)) fourth.write('\n');
    else fourth.destroy();
  });
  fourth?.on('error', () => {}); // a program that does not wait for the answer may have closed it
  return fourth;
}

/**
 * Ends a tree of processes: gently first and by force after a grace period, or by force at once. A sandbox does
 * not forward SIGTERM, so the init process of its namespace is killed. A sandbox that is still starting
 * finds descriptor 3 closed and ends.
 */
function stopper(pid: number | undefined, account: Duplex | undefined) {
  let force: NodeJS.Timeout | undefined;
  let hasExited = false;
  const stop = (how: 'gently' | 'at once' = 'gently') => {
    account?.destroy();
    if (pid === undefined) return;
    if (account !== undefined || how === 'at once') killNamespaceInit(pid);
    killGroup(pid, how === 'gently' && !hasExited ? 'SIGTERM' : 'SIGKILL');
    force ??= setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
  };
  /** Stops what the program left. */
  stop.exited = () => {
    hasExited = true;
    if (pid !== undefined) killGroup(pid, 'SIGKILL');
  };
  stop.end = () => clearTimeout(force);
  return stop;
}

function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  attempt(() => process.kill(-pid, signal)); // the group may no longer exist
}

/** Keeps the head and the tail of an output, so that memory stays bounded. */
function boundedOutput(maxBytes: number) {
  const half = Math.max(256, Math.floor(maxBytes / 2));
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let total = 0;
  const add = (chunk: Buffer) => {
    total += chunk.length;
    const missing = half - head.length;
    if (missing > 0) head = Buffer.concat([head, chunk.subarray(0, missing)]);
    const rest = chunk.subarray(Math.max(0, missing));
    if (rest.length >= half) tail = Buffer.from(rest.subarray(rest.length - half));
    else if (rest.length > 0) tail = Buffer.concat([tail, rest]).subarray(-half);
    return total;
  };
  const end = () => {
    const dropped = total - head.length - tail.length;
    const middle = dropped > 0 ? `\n[cut: ${dropped} bytes]\n` : '';
    return {
      output: printable(head) + middle + printable(tail),
      outputBytes: total,
      truncated: dropped > 0,
    };
  };
  return { add, end };
}

/** Text without the colours of a terminal, and with a mark for each other control character. */
function printable(bytes: Buffer): string {
  return stripVTControlCharacters(new StringDecoder('utf8').end(bytes)).replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g,
    '\uFFFD',
  );
}

/** A long-running program, such as a language server, with its standard input and output. */
export interface Running {
  readonly input: Writable;
  readonly output: Readable;
  /** What it has written to its standard error, in at most a thousand bytes; why it could not start. */
  errors(): string;
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Ends it and everything that it started. */
  stop(): void;
}

/**
 * Returns the process. Node gives one without pipes if this process may open no more files; its error comes later, and
 * would end Photon.
 * @throws PhotonError `SYSTEM_LIMIT`.
 */
export function requirePipes<T extends ChildProcess>(child: T): T {
  // Node leaves it undefined there, whatever its type says; null says that no pipe was asked for
  const { stdout }: { stdout?: unknown } = child;
  if (stdout !== undefined) return child;
  child.on('error', () => {});
  // the timer of its time limit would keep this process
  child.emit('exit', null, null);
  throw noMoreFiles(child.spawnfile);
}

function noMoreFiles(program: string): PhotonError {
  const cause = Object.assign(new Error(), { code: 'EMFILE' });
  const message = `${program} could not be started: this process may open no more files.`;
  return new PhotonError('SYSTEM_LIMIT', message, { cause });
}
