/** A command run to its end, bounded in time and output, its process group gone after it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Limit } from '../outcome.ts';
import { killInit } from './process-watch.ts';

export interface ProcessSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Watches the started process; what it answers ends the watch. */
  readonly watch?: (pid: number, exceeded: (limit: Limit) => void) => () => void;
  /** True: what the program writes to descriptor 3 is `account` of its end. */
  readonly accounts?: boolean;
}

export interface ProcessEnd {
  /** As the kernel gave it; null when a signal or a limit ended the command. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it used too much of; null when no limit ended it. */
  readonly limit: Limit | null;
  readonly cancelled: boolean;
  /** Standard output and error in the order they came; the cut, if any, is said inside. */
  readonly output: string;
  readonly outputBytes: number;
  readonly truncated: boolean;
  readonly durationMs: number;
  /** At most 64 KiB; empty when the program wrote none. */
  readonly account: string;
}

const graceMs = 2_000;
const accountBytes = 65_536;
/** A program that prints more is not read to its end. */
const maxOutputBytes = 1_073_741_824;

/** Runs a program. A failure to start is an end like any other: exit code null, the reason as output. */
export function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  const started = process.hrtime.bigint();
  const durationMs = () => Math.round(Number(process.hrtime.bigint() - started) / 1e6);
  const output = boundedOutput(spec.maxOutputBytes);
  const state: { limit: Limit | null; cancelled: boolean } = { limit: null, cancelled: false };
  const account = boundedOutput(accountBytes);
  const [program = '', ...args] = spec.argv;
  return new Promise(resolve => {
    const finish = (exitCode: number | null, signal: string | null) => {
      const limited = state.limit !== null || state.cancelled;
      resolve({
        exitCode: limited ? null : exitCode,
        signal,
        ...state,
        ...output.end(),
        account: account.end().output,
        durationMs: durationMs(),
      });
    };
    if (spec.signal.aborted) {
      state.cancelled = true;
      finish(null, null);
      return;
    }
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe', spec.accounts === true ? 'pipe' : 'ignore'],
      detached: true,
    }) as ChildProcessByStdio<null, Readable, Readable>;
    const fourth = child.stdio[3] as Readable | null | undefined;
    const stop = stopper(child.pid, fourth ?? null);
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
      if (output.add(chunk) > maxOutputBytes) exceed('output');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    fourth?.on('data', account.add);
    const done = (exitCode: number | null, signal: string | null) => {
      clearTimeout(timer);
      unwatch?.();
      spec.signal.removeEventListener('abort', cancel);
      stop.end();
      finish(exitCode, signal);
    };
    child.on('error', error => {
      output.add(Buffer.from(`${program}: ${error.message}\n`));
      done(null, null);
    });
    // a grandchild may hold the pipes after the command itself has ended
    child.on('exit', (code, signal) => {
      killGroup(child.pid, 'SIGKILL');
      const wait = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        fourth?.destroy();
      }, graceMs);
      child.on('close', () => {
        clearTimeout(wait);
        done(code, signal);
      });
    });
  });
}

/** Starts a program that stays until it is stopped, until it ends, or until a limit is passed. */
export function startProcess(
  spec: Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'watch' | 'accounts'>,
): Running {
  const [program = '', ...args] = spec.argv;
  const child = spawn(program, args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['pipe', 'pipe', 'ignore', spec.accounts === true ? 'pipe' : 'ignore'],
    detached: true,
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const stopTree = stopper(child.pid, (child.stdio[3] as Readable | null | undefined) ?? null);
  const stop = () => stopTree('at once');
  const unwatch = child.pid === undefined ? undefined : spec.watch?.(child.pid, stop);
  child.stdin.on('error', () => {}); // seen as its end
  const ended = new Promise<void>(resolve => {
    const done = () => {
      unwatch?.();
      killGroup(child.pid, 'SIGKILL');
      stopTree.end();
      resolve();
    };
    child.on('error', done);
    child.on('exit', done);
  });
  return { input: child.stdin, output: child.stdout, ended, stop };
}

/**
 * Ends a process group: a request first and force after a grace, or force at once. Walls know no
 * request: their first process is killed, and what has not begun yet finds nobody on its descriptor.
 */
function stopper(pid: number | undefined, account: Readable | null) {
  let force: NodeJS.Timeout | undefined;
  const stop = (how: 'gently' | 'at once' = 'gently') => {
    account?.destroy();
    if (pid !== undefined && (account !== null || how === 'at once')) killInit(pid);
    killGroup(pid, how === 'gently' ? 'SIGTERM' : 'SIGKILL');
    force ??= setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
  };
  stop.end = () => clearTimeout(force);
  return stop;
}

function killGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone already
  }
}

/** Keeps the head and the tail of an output; memory stays bounded whatever comes. */
function boundedOutput(maxBytes: number) {
  const half = Math.max(256, Math.floor(maxBytes / 2));
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let total = 0;
  const add = (chunk: Buffer) => {
    total += chunk.length;
    const context = half - head.length;
    if (context > 0) head = Buffer.concat([head, chunk.subarray(0, context)]);
    const rest = chunk.subarray(Math.max(0, context));
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

function printable(bytes: Buffer): string {
  return new StringDecoder('utf8')
    .end(bytes)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g, '\uFFFD');
}

/** A program that stays, such as a language server: the other end of its standard input and output. */
export interface Running {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolved when it has ended, whatever the reason. */
  readonly ended: Promise<void>;
  /** Ends it with all that it started. */
  stop(): void;
}
