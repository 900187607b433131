/** The programs that run inside the sandbox, as text: two canaries and a bridge. Nothing is imported: the functions of a program use each other, and load built-in modules themselves. */

/** What the canary tries. */
export interface CanaryConfig {
  /** Ports of this machine. */
  readonly tcp: number;
  readonly udp: number;
  /** A socket of the probe by its path, and those of other processes. */
  readonly path: string;
  readonly sockets: readonly string[];
  /** Also the abstract name of a socket. */
  readonly token: string;
  readonly sh: string;
  /** Files to write, and paths that must not be found. */
  readonly targets: readonly string[];
  readonly covered: readonly string[];
  /** The process of Photon, and its start time in `/proc`. */
  readonly pid: number;
  readonly started: string;
}

/** What the canary found. */
export interface Findings {
  /** Device and inode of each covered path that was found. */
  readonly found: Readonly<Record<string, string>>;
  readonly tcp: boolean;
  /** True when it connected to a socket of the probe, by path or abstract name, or of another process. */
  readonly sockets: boolean;
  /** True when it saw the process of Photon; without /proc also when it could send it a signal. */
  readonly peek: boolean;
  readonly newPrivileges: boolean;
  /** True when it began with a descriptor above 2 that leads anywhere; also where descriptors cannot be listed. */
  readonly inherits: boolean;
  readonly limits: boolean;
}

type Address = { readonly host: string; readonly port: number } | { readonly path: string };

function reaches(address: Address): Promise<boolean> {
  const net = process.getBuiltinModule('node:net');
  return new Promise(resolve => {
    const socket = net.connect(address);
    const end = (connected: boolean) => {
      socket.destroy();
      resolve(connected);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.setTimeout(1000, () => end(false));
  });
}

/** Sends a datagram; the probe counts those that arrive. */
function sendDatagram(port: number): Promise<void> {
  const dgram = process.getBuiltinModule('node:dgram');
  return new Promise(resolve => {
    try {
      const socket = dgram.createSocket('udp4');
      socket.on('error', () => resolve());
      socket.send('x', port, '127.0.0.1', () => {
        socket.close();
        resolve();
      });
    } catch {
      resolve();
    }
  });
}

function readText(path: string | number): string {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function writeAll(targets: readonly string[]): void {
  const fs = process.getBuiltinModule('node:fs');
  for (const target of targets)
    try {
      fs.writeFileSync(target, 'x');
    } catch {
      // refused, as it should be
    }
}

function readIdentities(paths: readonly string[]): Record<string, string> {
  const fs = process.getBuiltinModule('node:fs');
  const found: Record<string, string> = {};
  for (const path of paths)
    try {
      const { dev, ino } = fs.statSync(path);
      found[path] = `${dev}:${ino}`;
    } catch {
      // it is not there
    }
  return found;
}

/** Whether a descriptor above 2 is that of a file, or stays open for other programs: those of Node do not. */
function inheritsDescriptors(): boolean {
  const fs = process.getBuiltinModule('node:fs');
  const isForeign = (fd: string): boolean => {
    try {
      const leads = fs.readlinkSync(`/proc/self/fd/${fd}`);
      if (leads === '/dev/null' || leads.startsWith('/proc/')) return false;
      const flags = /^flags:\s+([0-7]+)/m.exec(readText(`/proc/self/fdinfo/${fd}`))?.[1] ?? '';
      return leads.startsWith('/') || (Number.parseInt(flags, 8) & 0o2000000) === 0;
    } catch {
      return false; // it is closed by now
    }
  };
  try {
    return fs.readdirSync('/proc/self/fd').some(fd => Number(fd) > 2 && isForeign(fd));
  } catch {
    return true;
  }
}

/** Whether it sees the process of Photon, and whether a program could gain privileges. */
function lookAtProcesses({ pid, started }: CanaryConfig): Pick<Findings, 'peek' | 'newPrivileges'> {
  const status = readText('/proc/self/status');
  const isSeen = readText(`/proc/${pid}/stat`).split(' ')[21] === started;
  if (status !== '') {
    const isHeld = /NoNewPrivs:\s*1/.test(status) && /CapEff:\s*0+\n/.test(status);
    return { peek: isSeen, newPrivileges: !isHeld };
  }
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const listed = spawnSync('/bin/ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  const code = listed.error !== undefined && 'code' in listed.error ? listed.error.code : '';
  let peek = listed.status === 0 && listed.stdout.trim() !== '';
  try {
    process.kill(pid, 0);
    peek = true;
  } catch {
    // no signal reaches it
  }
  return { peek, newPrivileges: !/^(?:EPERM|EACCES)$/.test(String(code)) };
}

/**
 * Prints its findings as one line of JSON. Then it waits for the guarded targets on its standard input, tries to write to
 * them, and ends. It leaves a process behind, which the launcher has to end.
 */
async function runCanary(config: CanaryConfig): Promise<void> {
  const fs = process.getBuiltinModule('node:fs');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { path, sockets, token, sh, targets, covered } = config;
  const inherits = inheritsDescriptors();
  const tcp = await reaches({ host: '127.0.0.1', port: config.tcp });
  const byPath = await reaches({ path });
  const byName = await reaches({ path: `\0${token}` });
  const others = await Promise.all(sockets.map(socket => reaches({ path: socket })));
  await sendDatagram(config.udp);
  const found = readIdentities(covered);
  writeAll(targets);
  const limits = readText('/proc/self/limits');
  const findings = {
    found,
    tcp,
    sockets: byPath || byName || others.includes(true),
    ...lookAtProcesses(config),
    inherits,
    limits: /Max core file size\s+0\s/.test(limits) && /Max processes\s+\d+/.test(limits),
  };
  const loop = 'trap "" TERM HUP INT; while :; do sleep 1; done';
  const stays = { detached: true, stdio: 'ignore' } as const;
  spawn(sh, ['-c', loop, `photon-survivor-${token}`], stays).unref();
  fs.writeSync(1, `PHOTON${JSON.stringify(findings)}\n`);
  writeAll(JSON.parse(readText(0) || '[]'));
  process.exit(0);
}

const parts = [
  reaches,
  sendDatagram,
  readText,
  writeAll,
  readIdentities,
  inheritsDescriptors,
  lookAtProcesses,
];

/** The program for `node -e`; its argument is a `CanaryConfig` in JSON. */
export const canaryProgram = `${parts.join('\n')}\n(${runCanary})(JSON.parse(process.argv[1]));`;

/** Prints what a request for each host brought, and whether a direct connection was made. */
async function askThroughProxy(port: string, token: string): Promise<void> {
  const http = process.getBuiltinModule('node:http');
  const proxy = new URL(process.env.http_proxy ?? '');
  const ask = (host: string): Promise<string | number | undefined> =>
    new Promise(resolve => {
      const request = {
        host: proxy.hostname,
        port: proxy.port,
        path: `http://${host}:${port}/`,
        headers: { host: `${host}:${port}` },
        agent: false,
      };
      const sent = http.get(request, answer => {
        let text = '';
        answer.on('data', chunk => {
          text += chunk;
        });
        answer.on('end', () => resolve(answer.statusCode === 200 ? text : answer.statusCode));
      });
      sent.on('error', () => resolve('error'));
    });
  const connectsDirectly = reaches({ host: '127.0.0.1', port: Number(port) });
  const listed = (await ask('listed.photon.invalid')) === token;
  const other = (await ask('other.photon.invalid')) === 403;
  process.stdout.write(`${JSON.stringify([listed, other, await connectsDirectly])}\n`);
  process.exit(0);
}

/** The program for `node -e`; its arguments are the port of the server and the text that it answers. */
export const egressCanaryProgram = `${reaches}\n(${askThroughProxy})(process.argv[1], process.argv[2]);`;

/** Prints what each port of loopback sends first; empty for one that is not reached. */
async function readPorts(ports: readonly string[]): Promise<void> {
  const net = process.getBuiltinModule('node:net');
  const readPort = (port: string): Promise<string> =>
    new Promise(resolve => {
      const socket = net.connect({ host: '127.0.0.1', port: Number(port) });
      socket.on('data', chunk => resolve(String(chunk)));
      socket.on('error', () => resolve(''));
      socket.on('close', () => resolve(''));
    });
  process.stdout.write(`${JSON.stringify(await Promise.all(ports.map(readPort)))}\n`);
}

/** The program for `node -e`; its arguments are ports. */
export const servicesCanaryProgram = `(${readPorts})(process.argv.slice(1));`;

/** A port inside the sandbox that leads to a socket of Photon: to the proxy, or to the relay of a service. */
export interface Inlet {
  /** An address of loopback. */
  readonly host: string;
  readonly port: number;
  /** The path of the socket, inside. */
  readonly path: string;
}

/** Runs around the command: hands each connection on loopback to the socket behind it, and ends as the command ends. */
function runBridge([inlets = '', program = '', ...args]: readonly string[]): void {
  const net = process.getBuiltinModule('node:net');
  const os = process.getBuiltinModule('node:os');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const fail = (message: string, code: number) => {
    process.stderr.write(`${message}\n`);
    process.exit(code);
  };
  const open = ({ host, port, path }: Inlet) => {
    const server = net.createServer({ allowHalfOpen: true }, client => {
      const beyond = net.connect({ path, allowHalfOpen: true });
      const join = (from: typeof client, to: typeof client) => {
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => from.readableEnded || to.destroy());
      };
      join(client, beyond);
      join(beyond, client);
    });
    server.on('error', error => fail(`photon: no proxy: ${error.message}`, 125));
    return new Promise<void>(resolve => server.listen(port, host, resolve));
  };
  void Promise.all(JSON.parse(inlets).map(open)).then(() => {
    const command = spawn(program, args, { stdio: 'inherit' });
    command.on('error', error => fail(`${program}: ${error.message}`, 127));
    command.on('exit', (code, signal) =>
      process.exit(signal === null ? (code ?? 1) : 128 + os.constants.signals[signal]),
    );
  });
}

/** The program for `node -e`; its arguments are a list of `Inlet` in JSON, and the command. */
export const bridgeProgram = `(${runBridge})(process.argv.slice(1));`;
