/** Sets proxy and certificates of the process, for every request to GitHub, to the model and to a key exchange. */
import { readFileSync } from 'node:fs';
// not by name: before 24.14, Node.js has no `setGlobalProxyFromEnv`, and a missing name would end the process
import http from 'node:http';
import tls from 'node:tls';
import { PhotonError } from '../base/codes.ts';
import { decodePercent } from '../base/system-errors.ts';
import type { Environment } from './environment.ts';

const proxyNames = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

/**
 * Sets proxy and certificates of the process. Call it before the first request. Node.js itself reads
 * `NODE_EXTRA_CA_CERTS` when it starts; the certificates of `SSL_CERT_FILE` are added here.
 * @returns What the environment asks for and cannot have, a sentence each.
 * @throws PhotonError `NETWORK_PROXY` for what is not the address of a proxy; it never holds the address.
 */
export function openNetwork(env: Environment): readonly string[] {
  return [...addCertificates(env.SSL_CERT_FILE ?? ''), ...useProxy(env)];
}

function addCertificates(path: string): readonly string[] {
  if (path === '') return [];
  try {
    const added = readFileSync(path, 'utf8').match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    if (added === null) return [`SSL_CERT_FILE: ${path} holds no certificate in PEM format.`];
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...added]);
    return [];
  } catch (error) {
    return [`SSL_CERT_FILE cannot be used: ${(error as Error).message}.`];
  }
}

function useProxy(env: Environment): readonly string[] {
  const set = proxyNames.filter(name => env[name]);
  const [name] = set;
  // with NODE_USE_ENV_PROXY, Node.js has read the variables when it started
  if (name === undefined || env.NODE_USE_ENV_PROXY === '1') return [];
  if (typeof http.setGlobalProxyFromEnv !== 'function')
    return [
      `${name} is set, but Node.js ${process.version} cannot use it at run time. Update the runner (Node.js 24.14 or later), or set NODE_USE_ENV_PROXY: 1 in the env of the job.`,
    ];
  const wrong = set.find(each => !isHttpAddress(env[each] ?? ''));
  if (wrong !== undefined)
    throw new PhotonError(
      'NETWORK_PROXY',
      `${wrong} is not the address of a proxy, such as http://proxy.example:3128.`,
    );
  const names = [...proxyNames, 'NO_PROXY', 'no_proxy'];
  http.setGlobalProxyFromEnv(Object.fromEntries(names.map(each => [each, env[each]])));
  return [];
}

/** Whether a text is an absolute address of HTTP. */
export function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The credentials in the addresses of proxies, as written and decoded. */
export function proxySecrets(env: Environment): readonly string[] {
  return proxyNames.flatMap(name => {
    const text = env[name] ?? '';
    if (!isHttpAddress(text)) return [];
    const { username, password } = new URL(text);
    if (password === '') return [];
    const [user, word] = [username, password].map(decodePercent);
    return [password, word ?? '', `${username}:${password}`, `${user}:${word}`];
  });
}

/** Codes of OpenSSL for a chain of certificates that ends at an authority that nobody told Node.js of. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

/** An error and what caused it, the outermost first; at most eight of them. */
export function listCauses(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let each = error; each instanceof Error && found.length < 8; each = each.cause)
    found.push(each);
  return found;
}

/** The PhotonError for a request that failed because of its certificate or its proxy; otherwise undefined. */
export function networkError(error: unknown): PhotonError | undefined {
  for (const each of listCauses(error)) {
    const code = String((each as { code?: unknown }).code ?? '');
    if (untrusted.has(code))
      return new PhotonError(
        'NETWORK_CERTIFICATE',
        `The certificate of the server comes from an authority that Node.js does not know (${code}).`,
        { cause: error },
      );
    // the words of undici, which has no code of its own for this
    const refused = /^Proxy response \((\d{3})\)/.exec(each.message);
    if (refused !== null)
      return new PhotonError(
        'NETWORK_PROXY',
        `The proxy refused the connection: HTTP ${refused[1]}.`,
        { cause: error },
      );
  }
  return undefined;
}
