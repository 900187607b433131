/** Set-up in whole runs: npm installs a package from a registry that only the proxy knows, once for all views. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { running } from '../attacks/attack.ts';
import { plainSearchPath } from '../doubles/installed.ts';
import { repairScript, sampleFiles } from '../doubles/sample.ts';
import { serve } from '../doubles/serve.ts';
import { canary, discard, makeFolder } from '../harness.ts';
import { type Played, play } from './scenario.ts';

const folder = makeFolder();
let tarball: Buffer;

beforeAll(() => {
  const source = join(folder, 'package');
  mkdirSync(source);
  const manifest = { name: 'fraction', version: '1.0.0', type: 'module', exports: './index.js' };
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'index.js'), 'export const whole = 100;\n');
  const path = join(folder, 'fraction.tgz');
  execFileSync('tar', ['-czf', path, '-C', folder, 'package']);
  tarball = readFileSync(path);
});
afterAll(() => discard(folder));

/** What the test command shows of its view, before it looks for the repair. */
const shows = [
  'node -e "console.log(JSON.stringify(process.env.http_proxy ?? null))"',
  'git rev-parse --verify HEAD',
  'git describe --always',
  'git log -1 --format=%s',
  'echo "status[$(git status --porcelain)]"',
  'echo "marks[$(ls node_modules/.marks 2>/dev/null)]"',
  'mkdir -p node_modules/.marks && touch node_modules/.marks/used',
  'node --input-type=module -e "import { whole } from \'fraction\'; console.log(whole)"',
].join(' && ');

const files = () => {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dependencies = { fraction: '1.0.0' };
  const root = { name: 'sample', version: '1.0.0', dependencies };
  const packages = {
    '': root,
    'node_modules/fraction': {
      version: '1.0.0',
      resolved: 'http://registry.example/fraction/-/fraction-1.0.0.tgz',
      integrity,
    },
  };
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    ...sampleFiles,
    '.gitignore': 'node_modules/\n',
    'package.json': json({ ...root, type: 'module' }),
    'package-lock.json': json({ ...root, lockfileVersion: 3, requires: true, packages }),
  };
};

/** What the run says about the hosts that the set-up reached and did not reach. */
function expectEgress({ outcome, log, ledger }: Pick<Played, 'outcome' | 'log' | 'ledger'>): void {
  const { hosts, connections = [] } = outcome.sandbox.egress ?? {};
  expect(hosts).toEqual(['registry.example']);
  const reached = {
    caller: 'setup',
    host: 'registry.example',
    port: 80,
    allowed: true,
    reason: '',
  };
  const refused = { host: 'evil.example', allowed: false, reason: 'not in the setting network' };
  expect(connections).toMatchObject([reached, { ...refused, connections: 1, bytesOut: 0 }]);
  expect(connections[0]?.bytesIn).toBeGreaterThan(tarball.length);
  expect(ledger.filter(e => e.tool === 'network.use').map(e => e.facts)).toEqual(connections);
  expect(log).toMatch(/Network: setup: registry\.example:80, \d+ connections?, \d+ bytes in/);
  expect(log).toContain('Network: setup: evil.example:80 refused, 1 connection: not in the');
  expect(outcome.sandbox.guarantees).toContainEqual({ name: 'egress', holds: true });
}

const install = 'npm ci --no-audit --no-fund';

/** All hosts, with the proxy of the network; and one host, with Photon's own, which goes through that one. */
const networks = [
  { network: 'setup', setUp: install, passed: ['HTTP_PROXY', 'NO_PROXY', '.npmrc'] },
  {
    network: 'registry.example',
    setUp: `${install} && { curl -sS http://evil.example/ || true; }`,
    passed: ['.npmrc'],
  },
];

it.each(networks)(
  'with network $network, npm ci runs once, through the proxy and without tokens, and the tests of each view see the same',
  async ({ network, setUp, passed }) => {
    const requests: IncomingMessage[] = [];
    const proxy = await serve((request, response) => {
      requests.push(request);
      response.end(request.url?.endsWith('.tgz') ? tarball : '{}');
    });
    const npmrc = join(folder, 'npmrc');
    const lines = ['registry=http://registry.example/', `//registry.example/:_authToken=${canary}`];
    writeFileSync(npmrc, lines.join('\n'));
    const password = 'a-password-of-the-proxy';
    const env = {
      PATH: plainSearchPath(),
      HTTP_PROXY: `http://someone:${password}@127.0.0.1:${proxy.port}`,
      NO_PROXY: '127.0.0.1',
      NPM_CONFIG_USERCONFIG: npmrc,
    };
    const inputs = {
      network,
      'setup-command': setUp,
      'test-command': `${shows} && grep -q '/ 100)' src/price.js`,
    };
    try {
      await play(
        { script: repairScript, files: files(), env, inputs },
        ({ outcome, log, ledger }) => {
          expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
          expect(outcome.sandbox.setUpNetwork).toEqual(passed);
          if (network !== 'setup') expectEgress({ outcome, log, ledger });
          expect(log).toContain(`Set up: ${setUp} (with ${passed.join(', ')})`);
          expect(JSON.stringify(outcome) + log).not.toContain(password);
          const { baseline, after } = outcome.verification ?? {};
          const seen = (status: string) =>
            new RegExp(
              `^null\n[0-9a-f]{40}\n[0-9a-f]{7,}\nThe base of this run\nstatus\\[${status}\\]\nmarks\\[\\]\n100\n`,
            );
          expect(baseline?.outputTail).toMatch(seen(''));
          expect(after?.outputTail).toMatch(seen(' M src/price.js'));
        },
      );
      const tarballs = requests.filter(
        r => r.url === 'http://registry.example/fraction/-/fraction-1.0.0.tgz',
      );
      expect(tarballs).toHaveLength(1);
      const basic = Buffer.from(`someone:${password}`).toString('base64');
      expect(tarballs[0]?.headers['proxy-authorization']).toBe(`Basic ${basic}`);
      expect(requests.filter(r => r.headers.authorization !== undefined)).toEqual([]);
    } finally {
      await proxy.close();
    }
  },
  600_000,
);

it('a run_command that is refused by the proxy says so to the model, and the ledger names the host', async () => {
  const inputs = { network: 'allow, registry.example', sandbox: 'required' } as const;
  const script = running('curl -sS http://evil.example/; echo over');
  const env = { PATH: plainSearchPath() };
  await play({ script, inputs, env }, ({ model, ledger, outcome }) => {
    const text = JSON.stringify(model.requests.map(r => r.body));
    expect(text).toContain('Photon: not in the setting network.');
    expect(text).toContain('[refused: evil.example:80, not in the setting network]');
    const facts = { caller: 'run_command', host: 'evil.example', port: 80, allowed: false };
    expect(ledger.filter(e => e.tool === 'network.use')).toMatchObject([{ facts }]);
    expect(outcome.sandbox.egress?.connections).toMatchObject([facts]);
  });
});
