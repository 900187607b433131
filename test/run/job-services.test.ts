/** Tests that need services of the job, in whole runs: real Redis and PostgreSQL on loopback, and a port that is not listed. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainSearchPath } from '../doubles/installed.ts';
import { repairScript } from '../doubles/sample.ts';
import { serve } from '../doubles/serve.ts';
import { discard, makeFolder } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { playsVariants } from '../seed.ts';
import { play } from './scenario.ts';

const folder = makeFolder();
const started: (() => void)[] = [];
afterAll(() => {
  for (const stop of started) stop();
  discard(folder);
});

async function findPort(): Promise<number> {
  const { port, close } = await serve(() => {});
  await close();
  return port;
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket
      .on('connect', () => resolve(socket.end() !== undefined))
      .on('error', () => resolve(false));
  });

/** Starts a server and waits until it takes connections. */
async function startService(
  program: string,
  args: readonly string[],
  port: number,
): Promise<number> {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  started.push(() => child.kill());
  await expect.poll(() => answers(port), { timeout: 60_000 }).toBe(true);
  return port;
}

const isRoot = process.getuid?.() === 0;
/** PostgreSQL does not run as root. */
const asOther = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

async function servePostgres(): Promise<number> {
  const port = await findPort();
  const data = join(folder, 'data');
  chmodSync(folder, 0o777);
  const [first = '', ...rest] = [...asOther, 'initdb', '-A', 'trust', '-U', 'shop', '-D', data];
  execFileSync(first, rest, { cwd: '/', stdio: 'ignore' });
  const [program = '', ...args] = [
    ...asOther,
    'postgres',
    '-D',
    data,
    '-p',
    `${port}`,
    '-k',
    folder,
  ];
  return startService(program, args, port);
}

async function serveRedis(): Promise<number> {
  const port = await findPort();
  return startService('redis-server', ['--port', `${port}`, '--save', ''], port);
}

const rows = [
  {
    name: `Redis ${needs('redis-server')}`,
    runs: has('redis-server'),
    start: serveRedis,
    line: (port: number) => `redis-cli -p ${port} incr runs`,
  },
  {
    name: `PostgreSQL ${needs('postgres')}`,
    // another service goes the same way
    runs: playsVariants && has('postgres'),
    start: servePostgres,
    line: (port: number) =>
      `psql -h localhost -p ${port} -U shop postgres -c 'create table if not exists runs (n int)'`,
  },
];

const other = createServer(socket => socket.end('x'));
beforeAll(() => new Promise<void>(done => other.listen(0, '127.0.0.1', done)));
afterAll(() => other.close());

for (const { name, runs, start, line } of rows)
  it.runIf(runs)(
    `a suite with ${name} fails without network: services and passes with it`,
    async () => {
      const port = await start();
      const { port: closed } = other.address() as AddressInfo;
      const closedIs = `! bash -c 'exec 3<>/dev/tcp/127.0.0.1/${closed}'`;
      const inputs = {
        'test-command': `${line(port)} && ${closedIs} && grep -q '/ 100)' src/price.js`,
      };
      const env = { PATH: plainSearchPath() };
      await play({ env, inputs, script: repairScript }, ({ outcome }) => {
        expect(outcome.verification).toMatchObject({ passed: false });
      });
      const given = { ...inputs, network: 'services', services: `${port}` };
      await play({ env, inputs: given, script: repairScript }, ({ outcome, summary }) => {
        expect(outcome).toMatchObject({ code: 'COMMITTED', verification: { passed: true } });
        expect(outcome.sandbox.guarantees).toContainEqual({ name: 'services', holds: true });
        expect(outcome.sandbox.egress?.services).toEqual([`${port}`]);
        const [first, last] = [...new Set(outcome.sandbox.egress?.connections.map(c => c.port))];
        expect([first, last]).toEqual([port, undefined]);
        expect(summary).toContain(
          `could use services of the job (\`network: services\`): ${port}.`,
        );
      });
    },
  );
