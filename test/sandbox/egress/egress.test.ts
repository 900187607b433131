/** Egress by host in a real sandbox: curl, Node.js and npm reach a listed host, and nothing reaches another. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connections } from '../../../src/base/outcome.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { openSandbox, type SandboxOptions } from '../../../src/sandbox/open-sandbox.ts';
import type { CommandSpec, Sandbox } from '../../../src/sandbox/sandbox.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { openViews, type View } from '../../../src/workspace/views/view.ts';
import { makeAuthority, startTlsFront } from '../../doubles/proxy.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { pathWithout } from '../../doubles/search-path.ts';
import { discard, makeFolder } from '../../harness.ts';
import { missingFor, needs } from '../../programs.ts';

const folder = makeFolder();
const home = join(folder, 'home');
const workspacePath = join(home, 'checkout');
const searchPath = process.env.PATH ?? '';
const programs = findPrograms(searchPath, [workspacePath]);
mkdirSync(workspacePath, { recursive: true });

/** Longer than the path of a socket can be. */
const scratch = join(folder, 'run'.repeat(30), 'scratch');
mkdirSync(scratch, { recursive: true });

const authority = makeAuthority(folder);
const source = join(folder, 'package');
mkdirSync(source);
writeFileSync(join(source, 'package.json'), '{"name":"fraction","version":"1.0.0"}');
execFileSync('tar', ['-czf', join(folder, 'fraction.tgz'), '-C', folder, 'package']);
const tarball = readFileSync(join(folder, 'fraction.tgz'));

/** A registry with one package. It stands for every name of the tests. */
const registry = createServer((request, response) => {
  if (request.url?.endsWith('.tgz')) response.end(tarball);
  else if (request.url === '/fraction') {
    const dist = {
      tarball: `http://${request.headers.host}/fraction.tgz`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    const versions = { '1.0.0': { name: 'fraction', version: '1.0.0', dist } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'fraction', 'dist-tags': { latest: '1.0.0' }, versions }));
  } else response.end('from the registry');
});
let port = 0;
let tls: Awaited<ReturnType<typeof startTlsFront>>;

beforeAll(async () => {
  await new Promise<void>(done => registry.listen(0, '127.0.0.1', done));
  ({ port } = registry.address() as AddressInfo);
  tls = await startTlsFront(`http://127.0.0.1:${port}`, authority.sign(['registry.example.org']));
});
makeRepository(workspacePath, {
  files: {
    'package.json': '{"name":"sample","version":"1.0.0","private":true}',
    'ca.pem': readFileSync(authority.path, 'utf8'),
  },
});
const git = await openGit(workspacePath, { scratch, programs });
afterAll(() => {
  git.close();
  tls.close();
  registry.close();
  discard(folder);
});

let opened = 0;

/** A port on which nothing listens. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function open(more: Partial<SandboxOptions>): Promise<Sandbox> {
  opened += 1;
  return openSandbox({
    mode: 'auto',
    hosted: false,
    workspacePath,
    scratch,
    hidePaths: [],
    readPaths: [],
    env: { ...process.env, HOME: home, HTTPS_PROXY: 'http://user:upstream-password@127.0.0.1:9' },
    programs,
    extraEnv: [],
    memoryBytes: undefined,
    processes: undefined,
    token: `egress${process.pid}x${opened}x`,
    log: () => {},
    reach: { lookup: async () => [{ address: '127.0.0.1', family: 4 }], mayReach: () => true },
    ...more,
  });
}

function runIn(sandbox: Sandbox, view: View, command: Partial<CommandSpec> & { line: string }) {
  const { line, ...more } = command;
  return sandbox.run({
    caller: 'setup',
    argv: ['sh', '-c', line],
    view,
    cwd: '.',
    network: true,
    timeoutMs: 600_000,
    maxOutputBytes: 20_000,
    signal: new AbortController().signal,
    ...more,
  });
}

const rungs = [
  [`bubblewrap ${needs('bwrap')}`, searchPath],
  [`namespaces ${needs('namespaces')}`, pathWithout(folder, 'bwrap')],
] as const;

describe.each(rungs)('egress by %s', (title, path) => {
  const [name = ''] = title.split(' ');
  const missing = missingFor(title).length > 0;
  const it = test.runIf(!missing);
  let sandbox: Sandbox;
  let view: View;
  const seen: (readonly [string, readonly Connections[]])[] = [];
  const run = (line: string, more: Partial<CommandSpec> = {}) =>
    runIn(sandbox, view, { line, ...more });

  beforeAll(async () => {
    sandbox = await open({
      env: {
        ...process.env,
        PATH: path,
        HOME: home,
        NO_PROXY: '.example.org',
        HTTPS_PROXY: 'http://user:upstream-password@127.0.0.1:9',
      },
      programs: findPrograms(path, [workspacePath]),
      hosts: [`registry.example.org:${port}`, `*.example.org:${tls.port}`],
      connected: (caller, connections) => seen.push([caller, connections]),
    });
    view = await openViews({ git, scratch, programs })(sandbox.support, []);
  });
  afterAll(async () => {
    await view.close();
    await sandbox.close();
  });

  it('the probe confirms it', () => {
    expect(sandbox.launcher).toBe(name);
    expect(sandbox.guarantees).toContainEqual({ name: 'egress', holds: true });
  });

  it('curl, Node.js and npm reach the listed host', async () => {
    const at = `http://registry.example.org:${port}`;
    const tlsAt = `https://registry.example.org:${tls.port}/`;
    const end = await run(
      [
        `curl -sS ${at}/a; echo`,
        `curl -sS --cacert ca.pem ${tlsAt}; echo`,
        `node -e 'fetch("${at}/b").then(r => r.text()).then(console.log)'`,
        `NODE_EXTRA_CA_CERTS=ca.pem node -e 'fetch("${tlsAt}").then(r => r.text()).then(console.log)'`,
        `npm install --no-audit --no-fund --registry ${at}/ fraction >/dev/null`,
        'cat node_modules/fraction/package.json; exit 7',
      ].join('\n'),
    );
    expect(end.output).toBe(
      `${'from the registry\n'.repeat(4)}{"name":"fraction","version":"1.0.0"}`,
    );
    expect(end.exitCode).toBe(7);
    const [http, https] = [port, tls.port].map(p => end.connections?.find(c => c.port === p));
    expect(end.connections).toHaveLength(2);
    expect(http).toMatchObject({ host: 'registry.example.org', allowed: true, reason: '' });
    expect(http?.connections).toBeGreaterThanOrEqual(4);
    expect(http?.bytesIn).toBeGreaterThan(tarball.length);
    expect(https).toMatchObject({ allowed: true, connections: 2 });
    expect(https?.bytesOut).toBeGreaterThan(200);
    expect(seen.at(-1)).toEqual(['setup', end.connections]);
  });

  it('another host, a name without the proxy, and a direct connection do not work', async () => {
    const end = await run(
      [
        `curl -sS -m 20 http://evil.example.com/`,
        `curl -sS -m 20 -o /dev/null https://evil.example.com/ 2>&1 | grep -o 'response 403'`,
        `curl -sS -m 20 http://169.254.169.254/latest/meta-data/`,
        `curl -sS -m 20 --noproxy '*' http://127.0.0.1:${port}/ 2>&1 | grep -c Failed`,
        `curl -sS -m 20 --noproxy '*' http://registry.example.org:${port}/ 2>&1 | grep -c resolve`,
        `curl -sS -m 20 --noproxy '*' http://93.184.215.14/ 2>&1 | grep -c Failed`,
      ].join('\n'),
    );
    expect(end.output).toBe(
      [
        'Photon: not in the setting network.',
        'response 403',
        'Photon: not a host name in its plain form.',
        ...['1', '1', '1', ''],
      ].join('\n'),
    );
    expect(end.connections?.map(c => [c.host, c.allowed])).toEqual([
      ['evil.example.com', false],
      ['evil.example.com', false],
      ['http://169.254.169.254/latest/meta-data/', false],
    ]);
    expect(end.refusedConnections).toBeGreaterThan(0);
  });

  it('only a command with a network gets the proxy, and none the password of the other one', async () => {
    const shows = 'env | grep -i -e proxy -e registry; ls /run/photon-egress 2>&1';
    const online = await run(shows, { caller: 'run_command' });
    expect(online.output).toMatch(/^http_proxy=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(online.output).toMatch(/^npm_config_https_proxy=/m);
    expect(online.output).toMatch(/^\d+\n$/m);
    const setUp = await run(shows);
    expect(online.output + setUp.output).not.toContain('upstream-password');
    const offline = await run(shows, { network: false });
    expect(offline.output).toMatch(/^ls: .*No such file/);
    expect(offline.connections).toBeUndefined();
  });

  it('a program that is started and stays reaches the same hosts', async () => {
    seen.length = 0;
    const argv = ['curl', '-sS', `http://registry.example.org:${port}/`];
    const running = sandbox.start({ caller: 'repair', argv, view, cwd: '.', network: true });
    let output = '';
    running.output.on('data', data => {
      output += data;
    });
    await running.ended;
    expect(output).toBe('from the registry');
    await expect.poll(() => seen).toMatchObject([['repair', [{ allowed: true, port }]]]);
  });
});

describe.each(rungs)('services by %s', (title, path) => {
  const it = test.runIf(missingFor(title).length === 0);

  it('each is reached by its port or name, and no other port, name or socket is', async () => {
    const other = createServer();
    await new Promise<void>(done => other.listen(0, '127.0.0.1', done));
    const { port: closed } = other.address() as AddressInfo;
    const unused = await findPort();
    const seen: Connections[] = [];
    const sandbox = await open({
      env: { ...process.env, PATH: path, HOME: home },
      programs: findPrograms(path, [workspacePath]),
      services: [`${port}`, `localhost:${port}`, `${unused}`],
      connected: (_, connections) => seen.push(...connections),
    });
    expect(sandbox.guarantees).toContainEqual({ name: 'services', holds: true });
    const view = await openViews({ git, scratch, programs })(sandbox.support, []);
    const ask = (at: string) =>
      `curl -sS -m 20 http://${at}/ 2>&1 | grep -oE 'from.*|Failed|resolve'`;
    const places = [`127.0.0.1:${port}`, `127.0.1.2:${port}`, `127.0.0.1:${closed}`];
    const outside = ['93.184.215.14', 'example.org'];
    const gone = `curl -sS -m 20 http://127.0.0.1:${unused}/ >/dev/null 2>&1 || echo closed`;
    const line = [...[...places, ...outside].map(ask), gone].join('\n');
    const end = await runIn(sandbox, view, { line, network: false, caller: 'verify' });
    const got = ['from the registry', 'from the registry', 'Failed', 'Failed', 'resolve', 'closed'];
    expect(end.output.trim().split('\n')).toEqual(got);
    expect(seen.map(c => [c.host, c.port, c.connections, c.reason])).toEqual([
      ['127.0.0.1', port, 1, ''],
      ['localhost', port, 1, ''],
      ['127.0.0.1', unused, 1, 'no connection'],
    ]);
    await view.close();
    await sandbox.close();
    other.close();
  });
});

describe('without a sandbox', () => {
  const hosts = ['registry.example.org'];

  test('the hosts are not guaranteed, and nothing but none runs', async () => {
    const path = pathWithout(folder, 'bwrap', 'unshare');
    const bare = { programs: findPrograms(path, [workspacePath]), hosts };
    for (const mode of ['required', 'auto'] as const)
      await expect(open({ ...bare, mode })).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    const plain = await open({ ...bare, mode: 'none' });
    expect(plain.guarantees).toContainEqual({ name: 'egress', holds: false });
    await plain.close();
  });
});
