import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { countRefused, findNetworkSettings } from '../../../src/sandbox/egress/network-settings.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const certificate = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
let count = 0;
const find = (env: Record<string, string>) => {
  count += 1;
  const place = { folder: join(folder, `out-${count}`), shownAt: '/run/x' };
  const found = findNetworkSettings({ env, home: '/nonexistent', ...place, withProxies: true });
  const shown = new Map(found.files.map(f => [f.at, readFileSync(f.from, 'utf8')]));
  return { ...found, textOf: (name: string) => shown.get(found.env[name] ?? '') };
};

it('a machine without settings gives none', () =>
  expect(find({ PATH: '/bin', GH_TOKEN: 'x' })).toMatchObject({ names: [], env: {}, files: [] }));

it('proxies are set in both cases', () => {
  const { env, names } = find({ https_proxy: 'http://u:p@proxy:1', NO_PROXY: 'localhost' });
  expect(names).toEqual(['HTTPS_PROXY', 'NO_PROXY']);
  expect(env).toEqual({
    HTTPS_PROXY: 'http://u:p@proxy:1',
    https_proxy: 'http://u:p@proxy:1',
    NO_PROXY: 'localhost',
    no_proxy: 'localhost',
  });
});

it('of files with certificates, only the certificates are shown', () => {
  const path = file('ca.pem', `${key}# a comment\n${certificate}`);
  const found = find({ NODE_EXTRA_CA_CERTS: path, SSL_CERT_FILE: file('key.pem', key) });
  expect(found.env).toEqual({ NODE_EXTRA_CA_CERTS: '/run/x/NODE_EXTRA_CA_CERTS.pem' });
  expect(found.textOf('NODE_EXTRA_CA_CERTS')).toBe(certificate);
  expect(found.unusable).toEqual(['SSL_CERT_FILE']);
});

it('addresses of registries lose user and password', () =>
  expect(find({ PIP_INDEX_URL: 'https://u:p@pypi.example/simple' }).env).toEqual({
    PIP_INDEX_URL: 'https://pypi.example/simple',
  }));

it('.npmrc keeps registries, and loses tokens', () => {
  const npmrc = file(
    'npmrc',
    [
      '; the company',
      'registry=https://u:p@npm.example/',
      '@own:registry = https://own.example/',
      '//npm.example/:_authToken=secret-1',
      '//npm.example/:_password=secret-2',
      '//npm.example/:keyfile=/secret-3',
      '_auth=secret-4',
      'email=secret-5',
      'script-shell=/secret-6',
      `cafile=${file('npm-ca.pem', certificate)}`,
      'always-auth',
      'strict-ssl=true',
    ].join('\n'),
  );
  const found = find({ npm_config_userconfig: npmrc });
  expect(found.names).toEqual(['.npmrc']);
  expect(found.textOf('NPM_CONFIG_USERCONFIG')).toBe(
    [
      'registry=https://npm.example/',
      '@own:registry = https://own.example/',
      'cafile=/run/x/.npmrc.pem',
      'strict-ssl=true',
      '',
    ].join('\n'),
  );
});

it('pip.conf keeps indexes, also on lines of their own', () => {
  const conf = file(
    'pip.conf',
    [
      '[global]',
      'index-url = https://u:p@pypi.example/simple',
      'extra_index_url =',
      '    https://u:p@one.example/simple',
      '    https://two.example/simple',
      'client-cert = /secret',
      '    /more-secret',
      'proxy = http://u:p@proxy:1',
    ].join('\n'),
  );
  expect(find({ PIP_CONFIG_FILE: conf }).textOf('PIP_CONFIG_FILE')).toBe(
    [
      '[global]',
      'index-url = https://pypi.example/simple',
      'extra_index_url =',
      '    https://one.example/simple',
      '    https://two.example/simple',
      'proxy = http://u:p@proxy:1',
      '',
    ].join('\n'),
  );
});

it('a file with tokens alone is not shown', () =>
  expect(find({ NPM_CONFIG_USERCONFIG: file('tokens', '//x/:_authToken=secret\n') }).names).toEqual(
    [],
  ));

const four = 'Ip: Forwarding OutNoRoutes InReceives\nIp: 1 3 9\nTcp: a\nTcp: 1\n';
const six = 'Ip6InReceives  \t5\nIp6OutNoRoutes  \t4\n';

it.each([
  [four + six, 7],
  [four, 3],
  [six, 4],
  ['Ip: Forwarding\nIp: 1\n', undefined],
  ['', undefined],
])('of %j, %s connections were refused', (account, count) => {
  expect(countRefused(account)).toBe(count);
});
