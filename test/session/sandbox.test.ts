import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/codes.ts';
import { childEnvironment } from '../../src/session/environment.ts';
import { openSandbox } from '../../src/session/open-sandbox.ts';
import type { Sandbox, SandboxMode } from '../../src/session/sandbox.ts';
import { discard, makeFolder } from '../harness.ts';

const folder = makeFolder();
const workspacePath = join(folder, 'checkout');
const scratch = join(folder, 'run', 'scratch');
const viewPath = join(scratch, 'view');
let sandbox: Sandbox;

function open(
  mode: SandboxMode,
  env: Record<string, string | undefined> = process.env,
): Promise<Sandbox> {
  const token = `probe${Math.random().toString(36).slice(2)}`;
  return openSandbox({
    mode,
    hosted: false,
    workspacePath,
    scratch,
    hidePaths: [],
    env,
    extraEnv: ['EXTRA'],
    token,
    log: () => {},
  });
}

function run(
  line: string,
  more: {
    timeoutMs?: number;
    maxOutputBytes?: number;
    signal?: AbortSignal;
    network?: boolean;
    cwd?: string;
  } = {},
) {
  return sandbox.run({
    argv: ['sh', '-c', line],
    view: { path: viewPath, enter: [] },
    cwd: '.',
    network: false,
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
    signal: new AbortController().signal,
    ...more,
  });
}

/** Processes of this machine whose command line holds a word. */
function processesWith(word: string): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return (
        /^\d+$/.test(pid) &&
        Number(pid) !== process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word)
      );
    } catch {
      return false;
    }
  });
}

beforeAll(async () => {
  mkdirSync(workspacePath, { recursive: true });
  mkdirSync(viewPath, { recursive: true });
  writeFileSync(join(workspacePath, 'file.txt'), 'host\n');
  writeFileSync(join(viewPath, 'file.txt'), 'view\n');
  process.env.HOST_SECRET = 'host-secret-value';
  sandbox = await open('required');
});
afterAll(() => discard(folder));

describe('the sandbox of this machine', () => {
  it('is bubblewrap with every guarantee (apt-get install bubblewrap where it is missing)', () => {
    expect(sandbox.launcher).toBe('bubblewrap');
    expect(sandbox.guarantees.filter(g => !g.holds)).toEqual([]);
    expect(sandbox.guarantees).toHaveLength(7);
  });

  it("shows the view at the checkout's own path and runs the tools of the machine", async () => {
    const end = await run('pwd; cat file.txt; node --version; git --version; printf "%s" "$EXTRA"');
    expect(end.exitCode).toBe(0);
    expect(end.output).toMatch(new RegExp(`^${workspacePath}\nview\nv\\d+.*\ngit version`));
  });

  it.each([
    ["the parent's environment", 'cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"'],
    [
      'memory of other processes',
      'for p in /proc/[0-9]*; do [ "$p" != "/proc/$$" ] && head -c 100 $p/mem; done 2>&1',
    ],
    ['other processes', 'ls /proc | grep -c "^[0-9]" ; ps aux 2>/dev/null'],
  ])('%s is not to be had', async (_name, line) => {
    const end = await run(line);
    expect(end.output).not.toContain('host-secret-value');
    expect(end.output).not.toContain('vitest');
  });

  it.each([
    [
      'the checkout',
      () => join(workspacePath, 'new.txt'),
      `echo x > "${workspacePath}/new.txt"; true`,
    ],
    [
      'home',
      () => join(process.env.HOME ?? '/root', 'photon-new.txt'),
      'echo x > "$HOME/photon-new.txt"; true',
    ],
    ['/tmp', () => '/tmp/photon-new.txt', 'echo x > /tmp/photon-new.txt; true'],
    ['/etc', () => '/etc/photon-new.txt', 'echo x > /etc/photon-new.txt; true'],
    [
      "Photon's own folder",
      () => join(scratch, 'new.txt'),
      `mkdir -p "${scratch}"; echo x > "${scratch}/new.txt"; true`,
    ],
  ])('a write to %s does not reach the host', async (_name, target, line) => {
    await run(line);
    expect(existsSync(target())).toBe(false);
  });

  it('the host is not reached by TCP, by UDP, by a socket file or by an abstract socket', async () => {
    let hits = 0;
    const servers = [
      { host: '127.0.0.1', port: 0 },
      { path: join(folder, 'host.sock') },
      { path: '\0photon-abstract' },
    ].map(where =>
      createServer(() => {
        hits += 1;
      }).listen(where),
    );
    await Promise.all(
      servers.map(s => new Promise(done => (s.listening ? done(0) : s.on('listening', done)))),
    );
    const address = servers[0]?.address() as { port: number };
    const tries = `const net=require('net');for(const o of [{host:'127.0.0.1',port:${address.port}},{path:'${join(folder, 'host.sock')}'},{path:'\\0photon-abstract'}])net.connect(o).on('error',e=>console.log(e.code)).on('connect',()=>console.log('REACHED'))`;
    const end = await run(`node -e "${tries.replaceAll('"', '\\"')}"`);
    for (const s of servers) s.close();
    expect(end.output.trim().split('\n')).toHaveLength(3);
    expect(end.output).not.toContain('REACHED');
    expect(hits).toBe(0);
  });

  it('loopback inside works: tests may start servers', async () => {
    const line = `node -e "const s=require('http').createServer((q,r)=>r.end('inside')).listen(0,'127.0.0.1',()=>fetch('http://127.0.0.1:'+s.address().port).then(r=>r.text()).then(t=>{console.log(t);process.exit()}))"`;
    expect((await run(line)).output).toBe('inside\n');
  });

  it("the kernel's own controls are not writable, not even for root", async () => {
    const end = await run(
      'for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /proc/sysrq-trigger; do ( : >> $f ) 2>/dev/null && echo "writable $f"; done; echo looked',
    );
    expect(end.output).toBe('looked\n');
  });

  it('sudo and setuid give nothing', async () => {
    const end = await run(
      'grep -E "NoNewPrivs|CapEff" /proc/self/status; (sudo -n id || su -c id) 2>&1; true',
    );
    expect(end.output).toMatch(/CapEff:\s*0+\n/);
    expect(end.output).toMatch(/NoNewPrivs:\s*1/);
    expect(end.output).not.toMatch(/uid=0.*\n.*uid=0/);
  });

  it('a command past its time ends with all that it started, TERM ignored or not', async () => {
    const end = await run(
      'trap "" TERM; setsid sh -c "trap \\"\\" TERM HUP; exec -a photon-sleeper sleep 4712" & sleep 4712',
      { timeoutMs: 300 },
    );
    expect(end).toMatchObject({ timedOut: true, exitCode: null });
    await expect.poll(() => processesWith('4712'), { timeout: 10_000 }).toEqual([]);
  });

  it('what survives its command is gone, too', async () => {
    const end = await run(
      'setsid sh -c "trap \\"\\" TERM HUP; sleep 4713" >/dev/null 2>&1 & echo started',
    );
    expect(end.output).toBe('started\n');
    await expect.poll(() => processesWith('4713'), { timeout: 10_000 }).toEqual([]);
  });

  it('endless output is cut in its middle and counted, memory stays bounded', async () => {
    const before = process.memoryUsage().rss;
    const end = await run('yes 0123456789 | head -c 300000000; echo the end');
    expect(end.outputBytes).toBe(300_000_008);
    expect(end.output.length).toBeLessThan(11_000);
    expect(end.output).toMatch(/^0123456789\n[\s\S]*\[cut: \d+ bytes\][\s\S]*the end\n$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('hundreds of processes that ignore TERM end at the time limit', async () => {
    const line =
      'i=0; while [ $i -lt 300 ]; do (trap "" TERM HUP; exec sleep 4715) & i=$((i+1)); done; echo all; wait';
    const end = await run(line, { timeoutMs: 3000 });
    expect(end).toMatchObject({ timedOut: true, exitCode: null, output: 'all\n' });
    await expect.poll(() => processesWith('4715'), { timeout: 10_000 }).toEqual([]);
  });

  it("the exit status is the kernel's", async () => {
    expect((await run('exit 7')).exitCode).toBe(7);
    expect((await run('kill -9 $$')).exitCode).not.toBe(0);
    expect((await run('printf "\\377\\000x"')).output).toBe('\uFFFD\uFFFDx');
  });

  it('a cancel ends it at once', async () => {
    const cancel = new AbortController();
    const running = run('echo go; sleep 4714', { signal: cancel.signal });
    cancel.abort();
    expect(await running).toMatchObject({ cancelled: true, exitCode: null });
  });

  it('arguments are never a shell line', async () => {
    const odd = ['$(id)', 'a b', '"q"', "it's", 'new\nline', '-x', '*'];
    const end = await sandbox.run({
      argv: ['printf', '[%s]', ...odd],
      view: { path: viewPath, enter: [] },
      cwd: '.',
      network: false,
      timeoutMs: 9000,
      maxOutputBytes: 9000,
      signal: new AbortController().signal,
    });
    expect(end.output).toBe(odd.map(o => `[${o}]`).join(''));
  });
});

describe('where there is no bubblewrap', () => {
  const bare = { PATH: '/nonexistent', HOME: process.env.HOME };

  it('required fails and names what is missing', async () => {
    const error = await open('required', bare).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PhotonError);
    expect(String((error as Error).message)).toContain('network, writes, peek');
    expect(String((error as Error).message)).toContain('apt-get install bubblewrap');
  });

  it('auto goes on and says of every wall that it does not stand', async () => {
    const plain = await open('auto', {
      ...process.env,
      PATH: '/bin-without-bwrap:/usr/local/sbin',
    });
    expect(plain.launcher).toBe('plain');
    expect(plain.guarantees.filter(g => g.holds).map(g => g.name)).toEqual(
      expect.not.arrayContaining([
        'network',
        'writes',
        'peek',
        'sockets',
        'survivors',
        'privilege',
      ]),
    );
  });
});

describe('the environment of commands', () => {
  it('is an allow-list', () => {
    const env = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      GITHUB_TOKEN: 'x',
      ACTIONS_RUNTIME_TOKEN: 'x',
      INPUT_TASK: 'x',
      MY_SECRET: 'x',
      NODE_OPTIONS: '--require x',
      AWS_KEY: 'x',
      RUNNER_TEMP: 'x',
      EXTRA: 'e',
    };
    expect(childEnvironment(env, ['EXTRA', 'GITHUB_TOKEN', 'NODE_OPTIONS'])).toEqual({
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      LANG: 'C.UTF-8',
      CI: 'true',
      EXTRA: 'e',
    });
  });
});
