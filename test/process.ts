/** Starts what ships, as the Action or the command line: a process of the built `dist/`. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { TestRunner } from 'vitest';
import type { HostReply, HostRequest } from './host.ts';
import { has, needs } from './programs.ts';
import { root } from './root.ts';
import { isAll } from './seed.ts';

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
  /** True for a test of the process itself, such as of its end or its temporary folder. */
  readonly isAlone?: boolean | undefined;
}

export interface PhotonEnd {
  /** Null when it was killed. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs the built program to its end: in the host of this worker, or in a process of its own if the start asks for more. */
export async function startPhoton(start: PhotonStart): Promise<PhotonEnd> {
  const end = isHosting || needsOwn(start) ? await startOwn(start) : await startHosted(start);
  skipWithoutSandbox(`${end.out}${end.err}`);
  return end;
}

function needsOwn({ env, isAlone = isAll, ...start }: PhotonStart): boolean {
  const { program, through, nodeArgs, started } = start;
  // Node reads these when it starts
  const forNode = Object.keys(env).find(n => n.startsWith('NODE_') && n !== 'NODE_COMPILE_CACHE');
  return isAlone || [program, through, nodeArgs, started, forNode].some(v => v !== undefined);
}

/** A start that takes longer hangs: it is killed, so that it fails its test and does not outlive it. */
const hangsAfterMs = 590_000;

/** A host that is larger is ended after its run. */
const maxHostBytes = 700_000_000;

let host: ChildProcess | undefined;
let isHosting = false;

async function startHosted(start: PhotonStart): Promise<PhotonEnd> {
  const child = openHost();
  isHosting = true;
  const end = { out: '', err: '' };
  const { promise: ended, resolve } = Promise.withResolvers<number | undefined>();
  const onClose = () => {
    if (host === child) host = undefined;
    resolve(child.exitCode ?? undefined);
  };
  const onMessage = (message: HostReply) => {
    if (message.kind === 'ended') {
      if (message.memoryBytes > maxHostBytes) endHost();
      return resolve(message.code);
    }
    end[message.to] += message.text;
    start.onOutput?.(message.text);
  };
  child.on('message', onMessage).on('close', onClose);
  const timer = setTimeout(() => child.kill('SIGKILL'), hangsAfterMs);
  const { cwd, env, args } = start;
  child.send({ cwd, env, args } satisfies HostRequest);
  const code = await ended;
  clearTimeout(timer);
  child.off('message', onMessage).off('close', onClose);
  isHosting = false;
  return { code, ...end };
}

/** @throws Error when the last one died after its run, by what that left behind. */
function openHost(): ChildProcess {
  const last = host;
  if (last?.connected) return last;
  host = fork(join(root, 'test', 'host.ts'), {
    cwd: root,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // a worker that is done does not wait for it
  host.unref();
  host.channel?.unref();
  if (last === undefined) return host;
  throw new Error(`the host ended after a run: status ${last.exitCode}, ${last.signalCode}`);
}

/** The next run gets a new one. */
function endHost(): void {
  host?.disconnect();
  host = undefined;
}

async function startOwn(start: PhotonStart): Promise<PhotonEnd> {
  const { args, cwd, env, onOutput } = start;
  const entry = join(root, 'dist', args === undefined ? 'index.js' : 'photon.js');
  const program = start.program ?? [process.execPath, ...(start.nodeArgs ?? []), entry];
  const argv = [...program, ...(args ?? [])];
  const [command = '', ...rest] = [...(start.through ?? []), ...argv];
  const child = spawn(command, rest, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hangsAfterMs,
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
  return { code, ...end };
}

/** Where nobody can make a sandbox, a test whose run needs one is skipped by name. */
function skipWithoutSandbox(output: string): void {
  if (!output.includes('SANDBOX_UNAVAILABLE') || has('namespaces')) return;
  TestRunner.getCurrentTest()?.context.skip(`${needs('namespaces')} a run had no sandbox`);
}
