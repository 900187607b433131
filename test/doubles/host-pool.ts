/** Processes that runs share, because starting a process and loading the program takes most of a short run's time. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FinishedRun } from '../../src/agent/run/stages.ts';
import { root } from '../root.ts';
import type { HostReply, HostRequest } from './action-host.ts';

export interface HostedRun {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Of a run below the entry points. */
  readonly results: readonly FinishedRun[];
}

/** A host that has grown larger than this ends after its run, because its size slows down the processes that it starts. */
const maxHostBytes = 200_000_000;

const idle: ChildProcess[] = [];

/** Runs in an idle host, or in a new one. A host whose run takes too long is killed. */
export async function runInHost(
  request: Omit<HostRequest, 'root'>,
  { timeoutMs, onOutput }: { timeoutMs: number; onOutput?: (text: string) => void },
): Promise<HostedRun> {
  const host = idle.pop() ?? startHost();
  const said = { out: '', err: '' };
  // the tests wait for a run, never for an idle host
  host.ref();
  host.channel?.ref();
  return new Promise(resolve => {
    const timer = setTimeout(() => host.kill('SIGKILL'), timeoutMs);
    const leave = (code: number | null, results: readonly FinishedRun[] = []) => {
      clearTimeout(timer);
      host.removeAllListeners();
      resolve({ code, ...said, results });
    };
    host.on('message', (reply: HostReply) => {
      if (reply.kind === 'output') {
        said[reply.to] += reply.text;
        onOutput?.(reply.text);
        return;
      }
      leave(reply.exitCode, reply.results);
      if (reply.heldBytes > maxHostBytes) host.kill('SIGKILL');
      else keep(host);
    });
    host.on('exit', code => leave(code));
    host.send({ ...request, root } satisfies HostRequest);
  });
}

function keep(host: ChildProcess): void {
  host.unref();
  host.channel?.unref();
  host.on('exit', () => {
    const at = idle.indexOf(host);
    if (at >= 0) idle.splice(at, 1);
  });
  idle.push(host);
}

function startHost(): ChildProcess {
  // the bundle of `test/bundle-host.ts`; the source where it was not made
  const program = process.env.PHOTON_TEST_HOST ?? join(import.meta.dirname, 'action-host.ts');
  return fork(program, [], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...loadingOf(process.env) },
    execArgv: ['--max-semi-space-size=2', '--single-threaded-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Where V8 keeps what it compiled for the next host, or writes what was executed when somebody asked. */
function loadingOf({ NODE_V8_COVERAGE }: NodeJS.ProcessEnv): Record<string, string> {
  return NODE_V8_COVERAGE === undefined
    ? { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'photon-hosts') }
    : { NODE_V8_COVERAGE };
}
