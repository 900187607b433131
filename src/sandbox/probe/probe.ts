/** Probes the guarantees of a sandbox: a canary program, started like a command, tries to break each one. */
import { createSocket, type Socket } from 'node:dgram';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Guarantee } from '../../base/outcome.ts';
import { attempt } from '../../base/system-errors.ts';
import { runProcess, startProcess } from '../../process/run-process.ts';
import { fileIdentity, listeningSockets } from '../covered-paths.ts';
import { type Egress, openEgress } from '../egress/egress.ts';
import {
  type CanaryConfig,
  canaryProgram,
  egressCanaryProgram,
  type Findings,
  servicesCanaryProgram,
} from '../inside.ts';
import type { Launch, Machine } from '../launchers/launcher.ts';

interface ProbeOptions {
  readonly launch: (argv: readonly string[]) => Launch;
  /** A folder of Photon, for sockets and marker files. */
  readonly scratch: string;
  /** Path of a Node binary that runs inside the sandbox. */
  readonly node: string;
  /** Path of `ps`, which lists processes where there is no /proc; undefined without it. */
  readonly ps: string | undefined;
  /** Path of the shell. */
  readonly sh: string;
  /** True if the launcher ends every process of a command, so that it pays to wait for that. */
  readonly endsProcesses: boolean;
  /** An unguessable token that marks the processes and sockets of this probe. */
  readonly token: string;
  /** Folders outside the view where a write that arrives does no harm; they are tried first. */
  readonly writeTargets: readonly string[];
  /** Folders of the user (checkout, home); they are tried only after the others refused the write. */
  readonly guardedTargets: readonly string[];
  /** Paths on the machine that must not be found inside. */
  readonly coveredPaths: readonly string[];
  /** A canary that takes more milliseconds is stopped; 20,000 if absent. */
  readonly maxMs?: number | undefined;
}

const defaultMs = 20_000;

/** What came of a canary. A launcher that gives nothing answers, too; one without an answer says nothing of guarantees. */
export type ProbeResult =
  | { readonly answered: true; readonly guarantees: readonly Guarantee[] }
  /** `reason` is one line: how the canary ended, and its standard error. */
  | { readonly answered: false; readonly reason: string };

/** Runs the canary once. A guarantee that it says nothing about counts as broken. */
export async function probeGuarantees(options: ProbeOptions): Promise<ProbeResult> {
  const socketPath = join(options.scratch, 'probe.sock');
  const hits = { udp: 0 };
  const udp = createSocket('udp4');
  udp.on('message', () => {
    hits.udp += 1;
  });
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(0, '127.0.0.1', () => resolve());
  });
  const servers = await Promise.all([
    listen({ host: '127.0.0.1', port: 0 }),
    listen({ path: socketPath }),
    listen({ path: `\0${options.token}` }),
  ]);
  const targets = options.writeTargets.map(folder => join(folder, `photon-${options.token}`));
  try {
    const address = servers[0]?.address();
    const tcp = typeof address === 'object' && address !== null ? address.port : 0;
    const config: CanaryConfig = {
      tcp,
      udp: udp.address().port,
      path: socketPath,
      // a service sees a connection that closes at once
      sockets: listeningSockets(),
      token: options.token,
      sh: options.sh,
      targets,
      covered: options.coveredPaths,
      ...self(),
    };
    const guarded = options.guardedTargets.map(folder => join(folder, `photon-${options.token}`));
    let wrote = true;
    const { found, reason } = await runCanary(options, config, () => {
      wrote = takeMarkers(targets);
      return wrote ? [] : guarded;
    });
    const survivors = await endSurvivors(options);
    if (found === undefined) return { answered: false, reason };
    const writes = !takeMarkers([...targets, ...guarded]) && !wrote;
    const guarantees: readonly Guarantee[] = [
      { name: 'network', holds: !found.tcp && hits.udp === 0 },
      { name: 'reads', holds: !isFound(found) },
      { name: 'writes', holds: writes },
      { name: 'peek', holds: !found.peek },
      // a path can be too long for a socket; abstract names exist only on Linux
      { name: 'sockets', holds: !found.sockets && (servers[1] ?? servers[2]) !== undefined },
      { name: 'survivors', holds: canList(options) && survivors === 0 },
      { name: 'privilege', holds: !found.newPrivileges },
      { name: 'inheritance', holds: !found.inherits },
      { name: 'resources', holds: found.limits },
    ];
    return { answered: true, guarantees };
  } finally {
    // their descriptors are free only then, and the clean-up of a run needs some
    await Promise.all([udp, ...servers].map(closeSocket));
    rmSync(socketPath, { force: true });
  }
}

/** The guarantees on a system whose launchers keep nothing from a command, so that there is nothing to probe. */
export function noGuarantees(limited: LimitedNetwork): readonly Guarantee[] {
  const names = [
    'network',
    'reads',
    'writes',
    'peek',
    'sockets',
    'survivors',
    'privilege',
    'inheritance',
    'resources',
  ] as const;
  return [...names, ...limitedNames(limited)].map(name => ({ name, holds: false }));
}

/** Where the network of commands ends, as in the settings. */
export interface LimitedNetwork {
  readonly hosts?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
}

/** The guarantees that a command has besides those of every sandbox. */
export function limitedNames({ hosts, services = [] }: LimitedNetwork) {
  return [
    hosts === undefined ? undefined : ('egress' as const),
    services.length === 0 ? undefined : ('services' as const),
  ].filter(item => item !== undefined);
}

/** True when the canary found one of the paths and it was the same file as on the machine. */
function isFound({ found }: Findings): boolean {
  return Object.entries(found).some(([path, identity]) => fileIdentity(path) === identity);
}

/** True when one of the marker files exists; removes them. */
function takeMarkers(targets: readonly string[]): boolean {
  const wrote = targets.filter(t => existsSync(t));
  for (const target of wrote) rmSync(target, { force: true });
  return wrote.length > 0;
}

interface CanaryEnd {
  readonly found: Findings | undefined;
  readonly reason: string;
}

/** Starts the canary once. `next` gives the paths for its last writes, when the first ones have been tried. */
async function runCanary(
  options: ProbeOptions,
  config: CanaryConfig,
  next: () => readonly string[],
): Promise<CanaryEnd> {
  const { maxMs = defaultMs } = options;
  const canary = [options.node, '-e', canaryProgram, JSON.stringify(config)];
  const running = startProcess(options.launch(canary));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    running.stop();
  }, maxMs);
  let found: Findings | undefined;
  createInterface({ input: running.output }).on('line', line => {
    if (found !== undefined || !/^PHOTON\{.*\}$/.test(line)) return;
    found = JSON.parse(line.slice('PHOTON'.length)) as Findings;
    running.input.end(JSON.stringify(next()));
  });
  await running.ended;
  clearTimeout(timer);
  const how = late ? `no answer within ${maxMs / 1000} seconds.` : 'the canary gave no answer.';
  return {
    found,
    reason: [how, ...running.errors().split(/\n/)]
      .map(line => line.trim())
      .join(' ')
      .trim(),
  };
}

/** The id and start time of this process; together they identify it in `/proc` from inside the sandbox. */
function self(): { pid: number; started: string } {
  const started = existsSync('/proc/self/stat')
    ? (readFileSync('/proc/self/stat', 'latin1').split(' ')[21] ?? '')
    : '';
  return { pid: process.pid, started };
}

function closeSocket(socket: Socket | Server | undefined): Promise<void> {
  return new Promise(resolve => (socket === undefined ? resolve() : socket.close(() => resolve())));
}

/** A listening server; undefined when this kind of socket is not available. */
function listen(
  where: { host: string; port: number } | { path: string },
): Promise<Server | undefined> {
  return new Promise(resolve => {
    const server = createServer(socket => socket.destroy());
    server.on('error', () => resolve(undefined));
    server.listen(where, () => resolve(server));
  });
}

/** On a busy machine, the kernel can take seconds to end a PID namespace after its init process is gone. */
const settle = { tries: 100, everyMs: 50 } as const;

/**
 * Counts the processes of the canary after the launcher has ended, and kills them. The token alone does not tell them:
 * the canary of another run can name the marker files of this one, which are paths to look for.
 */
async function endSurvivors({ token, ps, endsProcesses }: ProbeOptions): Promise<number> {
  const own = [`photon-survivor-${token}`, `"token":"${token}"`];
  const carriers = async () =>
    (await commandLines(ps)).filter(c => own.some(mark => c.line.includes(mark)));
  let found = await carriers();
  const most = endsProcesses ? settle.tries : 0;
  for (let tries = 0; tries < most && found.length > 0; tries++) {
    await new Promise(resolve => setTimeout(resolve, settle.everyMs));
    found = await carriers();
  }
  for (const { pid } of found) {
    attempt(() => process.kill(pid, 'SIGKILL')); // it may have ended in the meantime
  }
  return found.length;
}

/** True if processes can be listed at all. */
const canList = ({ ps }: ProbeOptions) => existsSync('/proc/self/stat') || ps !== undefined;

interface CommandLine {
  readonly pid: number;
  readonly line: string;
}

/** The command lines of all other processes, from /proc or `ps`. */
async function commandLines(ps: string | undefined): Promise<readonly CommandLine[]> {
  if (!existsSync('/proc/self/stat')) return ps === undefined ? [] : linesOfPs(ps);
  const pids = readdirSync('/proc').filter(
    name => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  return pids.flatMap(pid => {
    const line = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
    return line === undefined ? [] : [{ pid: Number(pid), line }]; // it ended in the meantime
  });
}

/** As `ps -axo pid=,command=` prints them: the id, and the command behind a blank. */
async function linesOfPs(ps: string): Promise<readonly CommandLine[]> {
  const { output } = await runProcess({
    argv: [ps, '-axo', 'pid=,command='],
    cwd: '/',
    env: { LC_ALL: 'C' },
    timeoutMs: defaultMs,
    maxOutputBytes: 10_000_000,
    signal: new AbortController().signal,
  });
  return [...output.matchAll(/^ *(\d+) (.*)$/gm)]
    .map(([, pid, line = '']) => ({ pid: Number(pid), line }))
    .filter(({ pid }) => pid !== process.pid);
}

interface EgressProbeOptions {
  readonly machine: Machine;
  readonly launch: (machine: Machine, argv: readonly string[]) => Launch;
  /** A folder of Photon, for the sockets. */
  readonly scratch: string;
  /** Path of a Node binary that runs inside the sandbox. */
  readonly node: string;
  readonly token: string;
}

const timeoutMs = 20_000;

/** Runs the canary: a request for a listed host is answered, and nothing else is reached. No answer counts as broken. */
export async function probeEgress(options: EgressProbeOptions): Promise<boolean> {
  const { scratch, token } = options;
  let served = 0;
  const server = createServer(socket => {
    served += 1;
    socket.on('error', () => socket.destroy());
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${token.length}\r\nconnection: close\r\n\r\n`;
    socket.once('data', () => socket.end(head + token));
  });
  const port = await listenAnywhere(server);
  const egress = openEgress(scratch, {
    hosts: [`listed.photon.invalid:${port}`],
    env: {},
    reach: { lookup: async () => [{ address: '127.0.0.1', family: 4 }], mayReach: () => true },
  });
  try {
    const output = await runProgram(egress, options, [egressCanaryProgram, port, token]);
    return output === '[true,true,false]\n' && served === 1;
  } finally {
    egress.close();
    server.close();
  }
}

/** Runs the canary: of two ports of this machine, it reaches the listed one alone. No answer counts as broken. */
export async function probeServices(options: EgressProbeOptions): Promise<boolean> {
  const servers = [1, 2].map(() => createServer(socket => socket.end('x')));
  const ports = await Promise.all(servers.map(listenAnywhere));
  const egress = openEgress(options.scratch, { services: ports.slice(0, 1) });
  try {
    const output = await runProgram(egress, options, [servicesCanaryProgram, ...ports]);
    return output === '["x",""]\n';
  } finally {
    egress.close();
    for (const server of servers) server.close();
  }
}

/** The output of a program for `node -e` in the sandbox, with a network that ends where `egress` says. */
async function runProgram(
  egress: Egress,
  { machine, launch, node }: EgressProbeOptions,
  program: readonly string[],
): Promise<string> {
  const command = egress.enter(machine, { argv: [node, '-e', ...program], network: true });
  const { output } = await runProcess({
    ...launch(command.machine, command.argv),
    timeoutMs,
    maxOutputBytes: 1_000,
    signal: new AbortController().signal,
  });
  command.close();
  return output;
}

/** @returns the port, on 127.0.0.1. */
async function listenAnywhere(server: Server): Promise<string> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return String(typeof address === 'object' && address !== null ? address.port : 0);
}
