import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withConfig } from '../doubles/config.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import {
  type AuthorityDouble,
  makeAuthority,
  type ProxyDouble,
  type ProxyOptions,
  startProxy,
  startTlsFront,
} from '../doubles/proxy.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { type ActionRun, discard, makeFolder, runAction } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';

const password = 'pa@ss-of-the-proxy-41Z';
const credentials = `photon:${password}`;

let folder: string;
let authority: AuthorityDouble;
let identity: { readonly key: string; readonly cert: string };
beforeAll(() => {
  folder = makeFolder();
  authority = makeAuthority(folder);
  identity = authority.sign(['api.github.test', 'model.test', 'localhost']);
});
afterAll(() => discard(folder));

interface Network {
  readonly proxyUrl: string;
  readonly modelUrl: string;
}

interface Behind extends Pick<ProxyOptions, 'credentials'> {
  readonly env: (network: Network) => Readonly<Record<string, string>>;
  /** Host of the model, when it is not behind the proxy. */
  readonly modelHost?: string;
}

/** Runs the Action as a process of its own, with GitHub and the model behind TLS and a proxy. */
async function runBehind(
  { credentials: demanded, env, modelHost = 'model.test' }: Behind,
  check: (run: ActionRun, proxy: ProxyDouble) => void,
): Promise<void> {
  const github = await startGitHub({ seed: withConfig(sampleFiles) });
  const model = await startModel(repairScript);
  const fronts = [
    await startTlsFront(github.url, identity),
    await startTlsFront(model.url, identity),
  ] as const;
  const proxy = await startProxy({
    ...(demanded === undefined ? {} : { credentials: demanded }),
    routes: { 'api.github.test:443': fronts[0].port, 'model.test:443': fronts[1].port },
  });
  const checkout = makeFolder();
  try {
    const workspace = join(checkout, 'checkout');
    github.clone(workspace, 'main');
    const port = modelHost === 'model.test' ? '' : `:${fronts[1].port}`;
    const modelUrl = `https://${modelHost}${port}/v1`;
    const at = { proxyUrl: `http://${proxy.host}`, modelUrl };
    const run = await runAction({
      github,
      workspace,
      modelUrl,
      inputs: { task: sampleTask },
      env: { GITHUB_API_URL: 'https://api.github.test', ...env(at) },
      started: () => {},
    });
    check(run, proxy);
  } finally {
    for (const each of fronts) each.close();
    await Promise.all([proxy.close(), github.close(), model.close()]);
    discard(checkout);
  }
}

const withUser = (url: string) => url.replace('//', `//photon:${encodeURIComponent(password)}@`);

describe('a network with a proxy and an authority of its own', () => {
  it.each(
    sample(
      'variables of a proxy',
      [
        ['HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS'],
        ['https_proxy', 'SSL_CERT_FILE'],
      ],
      1,
    ),
  )('carries every request, by %s and %s', async (proxyName, authorityName) => {
    const env = ({ proxyUrl }: Network) => ({
      [proxyName]: withUser(proxyUrl),
      [authorityName]: authority.path,
    });
    await runBehind({ credentials, env }, (run, proxy) => {
      expect(run.outcome.status).toBe('committed');
      expect(new Set(proxy.asked)).toEqual(new Set(['api.github.test:443', 'model.test:443']));
      const sinks = `${run.log}${run.summary}${run.kept}`;
      for (const secret of [password, encodeURIComponent(password), btoa(credentials)])
        expect(sinks).not.toContain(secret);
    });
  });

  it('that GitHub cannot be reached through ends with NETWORK_PROXY, and what to check', async () => {
    const env = ({ proxyUrl }: Network) => ({
      HTTPS_PROXY: proxyUrl,
      NODE_EXTRA_CA_CERTS: authority.path,
    });
    await runBehind({ credentials, env }, ({ outputs, log }) => {
      expect(outputs.code).toBe('NETWORK_PROXY');
      expect(log).toContain('The proxy refused the connection: HTTP 407.');
      expect(log).toContain('Check HTTPS_PROXY');
    });
  });

  it.runIf(playsVariants)(
    'whose authority is unknown ends with NETWORK_CERTIFICATE, and the setting that cures it',
    async () => {
      const other = join(folder, 'empty.pem');
      writeFileSync(other, 'nothing\n');
      const env = ({ proxyUrl }: Network) => ({ HTTPS_PROXY: proxyUrl, SSL_CERT_FILE: other });
      await runBehind({ env }, ({ outputs, log }) => {
        expect(outputs.code).toBe('NETWORK_CERTIFICATE');
        expect(log).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
        expect(log).toContain('NODE_EXTRA_CA_CERTS');
        expect(log).toContain('holds no certificate in PEM format');
      });
    },
  );

  it.runIf(playsVariants)(
    'with a wrong address of the proxy ends with the name of the variable, not with its value',
    async () => {
      const env = () => ({ HTTPS_PROXY: `photon:${password}@proxy` });
      await runBehind({ env }, ({ outputs, log }) => {
        expect(outputs.code).toBe('NETWORK_PROXY');
        expect(log).toContain('HTTPS_PROXY is not the address of a proxy');
        expect(log).not.toContain(password);
      });
    },
  );
});
