import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { findPrograms } from '../../src/process/programs.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import type { Sandbox, SandboxMode } from '../../src/sandbox/sandbox.ts';
import { openGit } from '../../src/workspace/git/git.ts';
import { openViews, type View } from '../../src/workspace/views/view.ts';
import { makeRepository } from '../doubles/repository.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, fingerprint, makeFolder, root } from '../harness.ts';
import { findPlanted, plantedAt } from '../planted.ts';
import { has, missingFor, needs } from '../programs.ts';
import { forkBomb, isAll, playsVariants, randomOf } from '../seed.ts';

const folder = makeFolder();
const workspacePath = join(folder, 'home', 'checkout');
const home = join(folder, 'home');
const scratch = join(folder, 'run', 'scratch');
const searchPath = process.env.PATH ?? '';
const programs = findPrograms(searchPath, [workspacePath]);

let opened = 0;

interface More {
  readonly memoryBytes?: number;
  readonly processes?: number;
  readonly probeMs?: number | undefined;
}

function open(
  mode: SandboxMode,
  env: Record<string, string | undefined> = process.env,
  more: More = {},
): Promise<Sandbox> {
  opened += 1;
  const token = `probe${process.pid}x${opened}x`;
  return openSandbox({
    mode,
    hosted: false,
    workspacePath,
    scratch,
    hidePaths: [],
    readPaths: [],
    env: { ...env, HOME: home },
    programs: findPrograms(env.PATH ?? '', [workspacePath]),
    extraEnv: ['EXTRA'],
    memoryBytes: more.memoryBytes,
    processes: more.processes,
    probeMs: more.probeMs,
    token,
    log: () => {},
  });
}

interface How extends More {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
  readonly network?: boolean;
  readonly cwd?: string;
}

function runIn(sandbox: Sandbox, view: View, argv: readonly string[], how: How = {}) {
  return sandbox.run({
    caller: 'run_command',
    argv,
    view,
    cwd: '.',
    network: false,
    timeoutMs: 600_000,
    maxOutputBytes: 10_000,
    signal: new AbortController().signal,
    ...how,
  });
}

/** Processes of this machine whose command line contains a word. */
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

mkdirSync(workspacePath, { recursive: true });
mkdirSync(scratch, { recursive: true });
mkdirSync(join(home, '.npm', '_cacache'), { recursive: true });
mkdirSync(join(home, '.ssh'));
writeFileSync(join(home, '.ssh', 'id_ed25519'), 'host-secret-key\n');
writeFileSync(join(home, '.npm', '_cacache', 'package'), 'cached\n');
makeRepository(workspacePath, {
  files: { 'file.txt': 'host\n', '.gitattributes': '* filter=x\n' },
});
writeFileSync(
  join(workspacePath, '.git', 'config'),
  '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic host-secret-value\n',
  { flag: 'a' },
);
process.env.HOST_SECRET = 'host-secret-value';
const git = await openGit(workspacePath, { scratch, programs });
afterAll(() => {
  git.close();
  discard(folder);
});

const rungs = [
  [`bubblewrap ${needs('bwrap')}`, () => process.env],
  [
    `namespaces ${needs('namespaces')}`,
    () => ({ ...process.env, PATH: pathWithout(folder, 'bwrap') }),
  ],
] as const;

describe.each(rungs)('the sandbox by %s', (title, env) => {
  const [name = ''] = title.split(' ');
  const missing = missingFor(title).length > 0;
  const it = test.runIf(!missing);
  const itVaries = test.runIf(!missing && playsVariants);

  let sandbox: Sandbox;
  let view: View;
  let before: string;
  const run = (line: string, how: How = {}) => runIn(sandbox, view, ['sh', '-c', line], how);

  beforeAll(async () => {
    before = fingerprint(home);
    if (missing) return;
    sandbox = await open('required', env());
    const changes = [
      {
        path: 'file.txt',
        before: undefined,
        after: { mode: '100644', bytes: Buffer.from('view\n') },
      },
    ] as const;
    view = await openViews({ git, scratch, programs })(sandbox.support, changes);
  });
  afterAll(async () => {
    if (missing) return;
    await view.close();
    await sandbox.close();
  });
  afterEach(() => expect(fingerprint(home)).toBe(before)); // checkout, its .git folder, home

  it('has every guarantee (apt-get install bubblewrap where it is missing)', () => {
    expect(sandbox.launcher).toBe(name);
    expect(sandbox.guarantees.filter(g => !g.holds)).toEqual([]);
    expect(sandbox.guarantees).toHaveLength(9);
    expect(sandbox.support.overlay).not.toBeUndefined();
  });

  it('ends with everything that it started', async () => {
    const other = await open('required', env());
    const argv = ['sh', '-c', 'echo ready; sleep 600'];
    const running = other.start({ caller: 'repair', argv, view, cwd: '.', network: false });
    await once(running.output, 'data');
    await other.close();
    // resolved, not only about to be
    expect(await Promise.race([running.ended.then(() => 'ended'), setTimeout(50, 'runs')])).toBe(
      'ended',
    );
  });

  it('shows the view at the path of the checkout and runs the tools of the machine', async () => {
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

  it.each<readonly [string, () => string, string]>([
    [
      'the checkout',
      () => join(workspacePath, 'new.txt'),
      `echo x > "${workspacePath}/new.txt"; true`,
    ],
    ['home', () => join(home, 'photon-new.txt'), 'echo x > "$HOME/photon-new.txt"; true'],
    ...(['/tmp', '/var/tmp', '/etc', '/dev/shm'] as const).map(at => {
      const path = plantedAt(at, 'write');
      return [at, () => path, `echo x > ${path}; true`] as const;
    }),
    [
      "Photon's own folder",
      () => join(scratch, 'new.txt'),
      `mkdir -p "${scratch}"; echo x > "${scratch}/new.txt"; true`,
    ],
  ])('a write to %s does not reach the host', async (_name, target, line) => {
    await run(line);
    expect(existsSync(target())).toBe(false);
  });

  it('a command cannot reach the host by TCP, UDP, a socket file or an abstract socket', async () => {
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

  it('loopback works inside, so that tests can start servers', async () => {
    const line = `node -e "const s=require('http').createServer((q,r)=>r.end('inside')).listen(0,'127.0.0.1',()=>fetch('http://127.0.0.1:'+s.address().port).then(r=>r.text()).then(t=>{console.log(t);process.exit()}))"`;
    expect((await run(line)).output).toBe('inside\n');
  });

  it('kernel controls are read-only, even for root', async () => {
    const end = await run(
      'for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /proc/sysrq-trigger; do ( : >> $f ) 2>/dev/null && echo "writable $f"; done; echo looked',
    );
    expect(end.output).toBe('looked\n');
  });

  it('sudo and setuid give no privileges', async () => {
    const end = await run(
      'grep -E "NoNewPrivs|CapEff" /proc/self/status; (sudo -n id || su -c id) 2>&1; true',
    );
    expect(end.output).toMatch(/CapEff:\s*0+\n/);
    expect(end.output).toMatch(/NoNewPrivs:\s*1/);
    expect(end.output).not.toMatch(/uid=0.*\n.*uid=0/);
  });

  it('a command that exceeds its time limit ends with all its processes, even when they ignore TERM', async () => {
    const end = await run(
      'trap "" TERM; setsid sh -c "trap \\"\\" TERM HUP; sleep 4712" & sleep 4712',
      { timeoutMs: 300 },
    );
    // and nothing but the command speaks
    expect(end).toMatchObject({ limit: 'time', exitCode: undefined, output: '' });
    await expect.poll(() => processesWith('4712'), { timeout: 600_000 }).toEqual([]);
  });

  it('processes that outlive their command are killed, too', async () => {
    const end = await run(
      'setsid sh -c "trap \\"\\" TERM HUP; sleep 4713" >/dev/null 2>&1 & echo started',
    );
    expect(end.output).toBe('started\n');
    await expect.poll(() => processesWith('4713'), { timeout: 600_000 }).toEqual([]);
  });

  it('a command whose sandbox cannot be set up never begins, and the output gives the reason', async () => {
    const nowhere = { ...view, path: join(scratch, 'nowhere') };
    const end = await runIn(sandbox, nowhere, ['true']);
    expect(end).toMatchObject({ began: false, output: expect.stringMatching(/\S/) });
    expect(await run('exit 3')).toMatchObject({ began: true, exitCode: 3 });
  });

  it('endless output is counted and cut in the middle, and memory stays bounded', async () => {
    const before = process.memoryUsage().rss;
    const end = await run('yes 0123456789 | head -c 300000000; echo the end');
    expect(end.outputBytes).toBe(300_000_008);
    expect(end.output.length).toBeLessThan(11_000);
    expect(end.output).toMatch(/^0123456789\n[\s\S]*\[cut: \d+ bytes\][\s\S]*the end\n$/);
    // garbage is still uncollected; the whole output would take twice its size
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  itVaries('hundreds of processes that ignore TERM end at the time limit', async () => {
    const line =
      'i=0; while [ $i -lt 300 ]; do (trap "" TERM HUP; exec sleep 4715) & i=$((i+1)); done; echo all; wait';
    // to start them takes a slow machine longer than the limit
    let end = await run(line, { timeoutMs: 3000 });
    for (let ms = 6000; !end.output.startsWith('all\n') && ms < 200_000; ms *= 2)
      end = await run(line, { timeoutMs: ms });
    expect(end).toMatchObject({
      limit: 'time',
      exitCode: undefined,
      output: expect.stringMatching(/^all\n/),
    });
    await expect.poll(() => processesWith('4715'), { timeout: 600_000 }).toEqual([]);
  });

  it('few processes stand before a command', async () => {
    // bubblewrap: the init process, beside the launcher; namespaces: also what mounts a few tables
    // and, where a tool lies below a path with a space, what reads the escapes of its mounts
    const most = / /.test(root) ? 60 : 10;
    expect(Number((await run('echo $$')).output)).toBeLessThanOrEqual(
      name === 'bubblewrap' ? 2 : most,
    );
  });

  it('the exit status is exact', async () => {
    expect((await run('exit 7')).exitCode).toBe(7);
    expect((await run('kill -9 $$')).exitCode).not.toBe(0);
    expect((await run('printf "\\377\\000x"')).output).toBe('\uFFFD\uFFFDx');
  });

  it('a cancelled command ends at once', async () => {
    const cancel = new AbortController();
    const running = run('echo go; sleep 4714', { signal: cancel.signal });
    cancel.abort();
    expect(await running).toMatchObject({ cancelled: true, exitCode: undefined });
  });

  it('home and /tmp belong to the view and last as long as it', async () => {
    const kept = plantedAt('/tmp', 'kept');
    expect(
      (await run(`echo kept > ~/kept; echo kept > ${kept}; cat ~/.ssh/* 2>&1`)).output,
    ).toMatch(/cannot access|No such file/);
    expect((await run(`cat ~/kept ${kept}`)).output).toBe('kept\nkept\n');
    const other = await openViews({ git, scratch, programs })(sandbox.support, []);
    const end = await runIn(sandbox, other, ['sh', '-c', 'ls -A ~ /tmp; cat file.txt']);
    await other.close();
    expect(end.output).not.toContain('kept');
    expect(end.output).toContain('host\n');
    expect(existsSync(kept) || existsSync(join(home, 'kept'))).toBe(false);
  });

  it('tool caches are readable and writable inside, and stay unchanged outside', async () => {
    const line = 'cd ~/.npm/_cacache && cat package && echo more > package && echo n > new && ls';
    expect((await run(line)).output).toBe('cached\nnew\npackage\n');
    expect((await run('cat ~/.npm/_cacache/package')).output).toBe('more\n');
  });

  it('two concurrent commands do not see each other', async () => {
    const open = openViews({ git, scratch, programs });
    const views = await Promise.all([1, 2].map(() => open(sandbox.support, [])));
    const meet = (n: number) =>
      `echo ${n} > mine; i=0; while [ $i -lt 20 ]; do cat mine; i=$((i+1)); done | sort -u; ls /proc | grep -c "^[0-9]*$"`;
    const ends = await Promise.all(views.map((v, n) => runIn(sandbox, v, ['sh', '-c', meet(n)])));
    expect(ends.map(e => e.output.split('\n')[0])).toEqual(['0', '1']);
    for (const v of views) v.close();
  });

  it.each([
    [
      'the disk of the machine',
      'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmsg; do [ -e $d ] && echo "there $d"; done',
    ],
    [
      'a device made here',
      'mknod disk b 254 0 2>/dev/null && echo made; mknod mem c 1 1 2>/dev/null && echo made',
    ],
    [
      'a mount',
      'mount -t tmpfs x /mnt 2>/dev/null && echo mounted; umount /tmp 2>/dev/null && echo unmounted',
    ],
    [
      'a mount in a namespace of its own',
      `unshare -Urm sh -c "umount -l /tmp || umount ~ || mount -o remount,rw,bind / && echo x > ${plantedAt('/etc', 'mount')}" 2>/dev/null && echo done`,
    ],
    [
      'a program with the setuid bit',
      'cp "$(command -v id)" own && chmod 4755 own && setpriv --reuid 1 ./own -u 2>/dev/null',
    ],
    [
      'the way out by a link',
      `ln -s ${folder} out; ln -s / all; echo x > out/photon-new; echo x > all${plantedAt('/etc', 'link')}; cat out/run/scratch/git/* out/home/.ssh/*`,
    ],
    [
      'the way out by ..',
      `cd ../../../../../../../../..; echo x > .${plantedAt('/', 'up')} 2>/dev/null; echo x > .${plantedAt('/etc', 'up')}; ls .ssh 2>/dev/null`,
    ],
    [
      "git's configuration",
      `git config core.fsmonitor "touch ${plantedAt('/tmp', 'ran')}" 2>/dev/null; git config --global core.hooksPath x 2>/dev/null; cat .git/config 2>/dev/null | grep -o secret`,
    ],
    [
      "the runner's channels",
      'env | grep -E "^(GITHUB|ACTIONS|RUNNER|INPUT|HOST)_"; [ -n "$GITHUB_ENV" ] && echo x=y >> "$GITHUB_ENV"',
    ],
    [
      'memory of the first process',
      `head -c 64 /proc/1/environ | grep -o host-secret-value; ls /proc/1/root/dev/shm 2>/dev/null | grep -v ${basename(folder)}`,
    ],
  ])('%s is not to be had', async (_name, line) => {
    expect((await run(`( ${line} ) 2>/dev/null; echo end`)).output).toBe('end\n');
    expect(findPlanted()).toEqual([]);
    expect(existsSync(join(folder, 'photon-new'))).toBe(false);
  });

  it('a .git folder that a command made runs nothing when the view is restored', async () => {
    const mark = join(folder, 'ran');
    const line = `git init -q .; for k in core.fsmonitor filter.x.clean filter.x.smudge diff.external core.sshCommand; do git config $k "touch ${mark}"; done; mkdir -p .git/hooks; for h in post-checkout post-index-change; do printf '#!/bin/sh\ntouch ${mark}\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done; echo changed > file.txt; rm .gitattributes`;
    await run(line);
    expect(await view.sync(git.tree)).toEqual(['.gitattributes', 'file.txt']);
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['processes', { processes: 40 }, forkBomb],
    ['memory', { memoryBytes: 150e6 }, `node -e "const a=[];for(;;)a.push(Buffer.alloc(1e6,1))"`],
    ['memory', { memoryBytes: 150e6 }, 'head -c 400M /dev/zero > /dev/shm/file; sleep 60'],
    [
      'memory',
      { memoryBytes: 150e6 },
      'for i in 1 2; do head -c 100M /dev/zero > /dev/shm/$i; done; head -c 100M /dev/zero > /run/file; sleep 60',
    ],
  ] as const)(
    'more %s than allowed ends it, with all that it started',
    async (limit, more, line) => {
      const tight = await open('required', env(), more);
      const word = `photon-bomb-${name}-${limit}`;
      const end = await runIn(tight, view, ['sh', '-c', line, word]);
      expect(end).toMatchObject({ limit, exitCode: undefined });
      await expect.poll(() => processesWith(word), { timeout: 600_000 }).toEqual([]);
    },
  );

  it('connections to the outside are counted, loopback connections are not', async () => {
    expect((await run('true')).refusedConnections).toBe(0);
    const line = `node -e "for(const host of ['192.0.2.1','2001:db8::1'])require('net').connect({host,port:80}).on('error',e=>console.log(e.code)); require('dgram').createSocket('udp4').send('x',53,'192.0.2.1',e=>{console.log(e.code);process.exit()})"`;
    const end = await run(line);
    expect(end.output.trim().split('\n').sort()).toEqual([
      'ENETUNREACH',
      'ENETUNREACH',
      'ENETUNREACH',
    ]);
    expect(end.refusedConnections).toBeGreaterThanOrEqual(3);
  });

  /** A process that opens the sandbox, and runs `sleep` in it as soon as it reads something. */
  async function startOther(word: string, up: string) {
    const script = `
      const { openSandbox } = await import(${JSON.stringify(join(root, 'src/sandbox/open-sandbox.ts'))});
      const sandbox = await openSandbox(JSON.parse(process.argv[1], (k, v) => k === 'log' ? () => {} : v));
      const view = { path: ${JSON.stringify(scratch)}, enter: [], folders: [] };
      process.stdin.once('data', () =>
        sandbox.run({ argv: ['sh', '-c', 'echo up > ${up}; sleep ${word}'], view, cwd: '.', network: false, timeoutMs: 600000, maxOutputBytes: 1000, signal: new AbortController().signal }));
      console.log('opened');`;
    const options = {
      mode: 'required',
      hosted: false,
      workspacePath,
      scratch,
      hidePaths: [],
      readPaths: [],
      extraEnv: [],
      memoryBytes: null,
      processes: null,
      token: `t${word}`,
      log: 0,
      env: { ...env(), HOME: home },
      programs: findPrograms(env().PATH ?? '', [workspacePath]),
    };
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', script, JSON.stringify(options)],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    );
    await once(child.stdout, 'data');
    return child;
  }

  it('a command inherits no descriptor, no keyring and no umask of who started Photon', () => {
    const path = join(folder, `held-${name}`);
    writeFileSync(path, 'of the caller\n');
    const keyring = process.arch === 'arm64' ? 219 : 250;
    const session = `perl -e 'print "keyring ", syscall(${keyring}, 0, -3, 0), "\\n"'`;
    const line = `cat /proc/self/fdinfo/200; bash -c 'cat <&200; cat <&9; echo mine >&200; echo mine >&9'; umask; LC_ALL=C ${session}`;
    const script = `
      const { openSandbox } = await import(${JSON.stringify(join(root, 'src/sandbox/open-sandbox.ts'))});
      const sandbox = await openSandbox(JSON.parse(process.argv[1], (k, v) => k === 'log' ? () => {} : v));
      const view = { path: ${JSON.stringify(scratch)}, enter: [], folders: [] };
      const end = await sandbox.run({ argv: ['sh', '-c', ${JSON.stringify(line)}], view, cwd: '.', network: false, timeoutMs: 600000, maxOutputBytes: 5000, signal: new AbortController().signal });
      console.log(end.output, JSON.stringify(sandbox.guarantees));
      await sandbox.close?.();
      process.exit(0);`;
    const options = {
      ...{
        mode: 'required',
        hosted: false,
        workspacePath,
        scratch,
        hidePaths: [],
        readPaths: [],
      },
      ...{ extraEnv: [], memoryBytes: null, processes: null, token: 'held', log: 0 },
      env: { ...env(), HOME: home, LANG: 'xx_YY.UTF-8' },
      programs: findPrograms(env().PATH ?? '', [workspacePath]),
    };
    const held = `umask 027; exec 9<>${path} 200<>${path}; ${session}; exec "$@"`;
    const args = ['-c', held, 'bash', process.execPath, '--input-type=module', '-e', script];
    const { stdout, stderr } = spawnSync('bash', [...args, JSON.stringify(options)], {
      encoding: 'utf8',
    });
    const [own, inside] = [...stdout.matchAll(/keyring (-?\d+)/g)].map(m => m[1]);
    expect(stdout, stderr).toContain('{"name":"inheritance","holds":true}');
    expect(stdout).not.toContain('of the caller');
    // a locale that is not installed
    expect(stdout).not.toContain('perl: warning');
    expect(readFileSync(path, 'utf8')).toBe('of the caller\n');
    expect(stdout).toMatch(/^0022$/m);
    // a machine may let nobody look
    if (Number(own) > 0) expect(inside).not.toBe(own);
  });

  it('a command reads no key of the user, and its process group is its own', async () => {
    const keyctl = process.arch === 'arm64' ? 219 : 250;
    const perl = (text: string) => execFileSync('perl', ['-e', text], { encoding: 'utf8' });
    const value = 'host-key-value';
    const added = `$t = "user"; $n = "photon-test-${name}"; $v = "${value}"`;
    const [ring, key] = perl(
      `${added}; print syscall(${keyctl}, 0, -4, 1), " ", syscall(${keyctl - 2}, $t, $n, $v, length $v, -4)`,
    ).split(' ');
    // as root of a namespace a command has the user's number, and so the rights of the user on both
    const reads = `syscall(${keyctl}, 8, ${ring}, -3); $b = "\\0" x 99; syscall(${keyctl}, 11, ${key}, $b, 99); print $b`;
    const end = await run(`perl -e '${reads}'; kill -HUP 0`);
    perl(`syscall(${keyctl}, 9, ${key}, -4)`);
    expect(end.output).not.toContain(value);
    expect(end.exitCode).toBe(129);
  });

  it('a command ends with the process that started it', async () => {
    const word = `48${name.length}17`;
    rmSync(join(scratch, 'up'), { force: true });
    const child = await startOther(word, 'up');
    child.stdin.write('go');
    await expect.poll(() => existsSync(join(scratch, 'up')), { timeout: 600_000 }).toBe(true);
    await expect.poll(() => processesWith(`sleep\0${word}`), { timeout: 600_000 }).not.toEqual([]);
    child.kill('SIGKILL');
    await expect.poll(() => processesWith(`sleep\0${word}`), { timeout: 600_000 }).toEqual([]);
  });

  itVaries(
    'a command whose sandbox is starting ends with the process that started it',
    async () => {
      const word = `48${name.length}18`;
      const random = randomOf(`death by ${name}`);
      for (let i = 0; i < (isAll ? 20 : 2); i++) {
        const child = await startOther(word, `up-${i}`);
        child.stdin.write('go');
        await setTimeout(random() * (name === 'bubblewrap' ? 40 : 150));
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      // the command line of each process on the way to the command holds the word
      await expect.poll(() => processesWith(word), { timeout: 600_000 }).toEqual([]);
    },
  );

  it('a cancel at any moment leaves no process', async () => {
    const word = `47${name.length}19`;
    const random = randomOf(`cancel by ${name}`);
    const moments = Array.from({ length: isAll ? 60 : 6 }, () =>
      Math.floor(random() * (name === 'bubblewrap' ? 40 : 150)),
    );
    for (const ms of moments) {
      const cancel = AbortSignal.timeout(ms);
      expect(await run(`sleep ${word}`, { signal: cancel })).toMatchObject({ cancelled: true });
    }
    await expect.poll(() => processesWith(`sleep\0${word}`), { timeout: 600_000 }).toEqual([]);
  });

  it('arguments are never interpreted by a shell', async () => {
    const odd = ['$(id)', 'a b', '"q"', "it's", 'new\nline', '-x', '*'];
    const end = await runIn(sandbox, view, ['printf', '[%s]', ...odd]);
    expect(end.output).toBe(odd.map(o => `[${o}]`).join(''));
  });
});

describe('without a launcher', () => {
  const bare = { PATH: '/nonexistent', HOME: process.env.HOME };

  it('required fails and says what to install', async () => {
    await expect(open('required', bare)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: 'This machine has no sandbox: the programs that make one are missing.',
      hint: expect.stringContaining('apt-get install bubblewrap'),
    });
  });

  it.each([
    ['at a terminal', {}, expect.stringContaining('--sandbox none')],
    ['in a job', { GITHUB_ACTIONS: 'true' }, expect.stringContaining('apt-get install bubblewrap')],
  ])('auto fails %s, and says what to do', async (_where, more, hint) => {
    await expect(open('auto', { ...bare, ...more })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: 'This machine has no sandbox: the programs that make one are missing.',
      hint,
    });
  });

  it('none runs commands plainly, probes nothing, and reports every guarantee as missing', async () => {
    const plain = await open('none');
    expect(plain.launcher).toBe('plain');
    expect(plain.guarantees.map(g => g.holds)).toEqual(Array(9).fill(false));
    expect(processesWith(`photon-survivor-probe${process.pid}x${opened}x`)).toEqual([]);
  });
});

describe.runIf(has('namespaces'))(
  `a launcher whose probe gives no answer ${needs('namespaces')}`,
  () => {
    /** A PATH with nothing that makes a sandbox but a `bwrap` of these lines, in front of the real one. */
    function withBubblewrap(name: string, lines: string): string {
      const bin = join(folder, name);
      mkdirSync(bin);
      const real = programs.paths.bwrap ?? '';
      const script = `#!/bin/sh\nplace='${bin}'\n${lines}\nexec ${real} "$@"\n`;
      writeFileSync(join(bin, 'bwrap'), script, { mode: 0o755 });
      return `${bin}:${pathWithout(folder, 'bwrap', 'setpriv')}`;
    }
    const first = '[ -e "$place/tried" ] || { : > "$place/tried"; ';

    it.runIf(has('bwrap')).each([
      ['fails', `${first} echo no memory >&2; exit 1; }`],
      ['is killed', `${first} kill -KILL $$; }`],
    ])('that %s once is tried once more', async (name, lines) => {
      const PATH = withBubblewrap(`once-${name}`, lines);
      const sandbox = await open('auto', { ...process.env, PATH });
      expect(sandbox.launcher).toBe('bubblewrap');
      expect(sandbox.guarantees.filter(g => !g.holds)).toEqual([]);
      await sandbox.close();
    });

    it.each([
      [
        'fails',
        'echo "bwrap: no memory" >&2; exit 1',
        'the canary gave no answer. bwrap: no memory',
      ],
      [
        'is suspended',
        'echo "bwrap: waits" >&2; kill -STOP $$',
        'no answer within 0.3 seconds. bwrap: waits',
      ],
    ])('that %s every time ends the run, and what it said is shown', async (name, lines, said) => {
      const PATH = withBubblewrap(`always-${name.slice(-5)}`, lines);
      for (const mode of ['auto', 'required'] as const)
        await expect(open(mode, { ...process.env, PATH }, { probeMs: 300 })).rejects.toMatchObject({
          code: 'SANDBOX_UNAVAILABLE',
          message: `The probe of the sandbox (bubblewrap) failed twice, so no command was run: ${said}`,
          hint: expect.not.stringContaining('--sandbox none'),
        });
    });

    it('is not needed where another one gives every guarantee', async () => {
      const bin = join(folder, 'broken');
      mkdirSync(bin);
      writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const PATH = `${bin}:${pathWithout(folder, 'bwrap')}`;
      const sandbox = await open('required', { ...process.env, PATH });
      expect(sandbox.launcher).toBe('namespaces');
      await sandbox.close();
    });
  },
);

describe('a user who is not root', () => {
  const ways = [
    ...(has('bwrap') ? [['bubblewrap', () => searchPath] as const] : []),
    ['namespaces', () => pathWithout(folder, 'bwrap')] as const,
  ];

  it.runIf(has('root')).each(ways)(
    `has every guarantee by %s, and merged views ${needs('root')}`,
    (name, path) => {
      const place = makeFolder();
      chmodSync(place, 0o755);
      const own = join(place, 'home');
      mkdirSync(own);
      const manifest = '{"scripts":{"test":"node --test"}}\n';
      makeRepository(join(own, 'checkout'), { files: { 'package.json': manifest } });
      execFileSync('chown', ['-R', '65534:65534', own]);
      chmodSync(folder, 0o755);
      copyFileSync(realpathSync(process.execPath), join(place, 'node'));
      cpSync(join(root, 'dist'), join(place, 'dist'), { recursive: true });
      const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--no-new-privs'];
      const said = execFileSync(
        'setpriv',
        [...user, join(place, 'node'), join(place, 'dist', 'photon.js'), 'doctor'],
        {
          cwd: join(own, 'checkout'),
          encoding: 'utf8',
          env: { PATH: path(), HOME: own, TMPDIR: own },
        },
      );
      discard(place);
      expect(said).toContain(`sandbox: ${name}\n`);
      expect(said).not.toContain('MISSING');
      expect(said).toContain('overlayfs');
    },
  );
});
