/** Finds the proxy, certificate and registry settings of this machine that a set-up with a network needs, without tokens. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitWords } from '../../base/plural.ts';
import type { Environment } from '../../process/environment.ts';
import { readBeginning } from '../../workspace/files/read-foreign.ts';
import type { Part } from '../readable.ts';

/** What a command with a network receives besides its environment. */
export interface NetworkSettings {
  /** What was found: names of variables, `.npmrc`, `pip.conf`. */
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that the variables name, each shown read-only. */
  readonly files: readonly Part[];
  /** Names of variables whose file cannot be used. */
  readonly unusable: readonly string[];
}

interface NetworkOptions {
  readonly env: Environment;
  readonly home: string;
  /** A folder of Photon for the files. */
  readonly folder: string;
  /** Where commands see that folder. */
  readonly shownAt: string;
  /** False for commands that get a proxy of Photon. */
  readonly withProxies: boolean;
}

/** Programs differ in which case they read, so that both are set. */
const proxies = splitWords('HTTPS_PROXY HTTP_PROXY NO_PROXY');

/** Files in PEM format. Only their certificates are passed on. */
const certificateFiles = splitWords(`
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT CARGO_HTTP_CAINFO
  NPM_CONFIG_CAFILE npm_config_cafile BUNDLE_SSL_CA_CERT DENO_CERT`);

/** Registries, and how to reach them. Credentials in their addresses are removed. */
const registries = splitWords(`
  NODE_USE_ENV_PROXY SSL_CERT_DIR
  NPM_CONFIG_REGISTRY npm_config_registry YARN_REGISTRY YARN_NPM_REGISTRY_SERVER COREPACK_NPM_REGISTRY
  PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_TIMEOUT PIP_DEFAULT_TIMEOUT PIP_RETRIES
  UV_INDEX UV_DEFAULT_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_NATIVE_TLS
  GOPROXY GONOPROXY GOPRIVATE GOSUMDB GONOSUMDB RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT`);

interface ConfigurationFile {
  readonly shown: string;
  /** Variables that name the file; the first is set for commands. */
  readonly variables: readonly [string, ...string[]];
  /** Where it lies in the home folder otherwise. */
  readonly homePaths: readonly string[];
  /** Keys to keep, in lower case, with `-`. */
  readonly keys: RegExp;
  /** The keys among them that name a file with certificates. */
  readonly certificates: RegExp;
}

const configurationFiles: readonly ConfigurationFile[] = [
  {
    shown: '.npmrc',
    variables: ['NPM_CONFIG_USERCONFIG', 'npm_config_userconfig'],
    homePaths: ['.npmrc'],
    keys: /^((@[^:]+:)?registry|(https?-|no)?proxy|ca(\[\]|file)?|strict-ssl|maxsockets|fetch-[\w-]+)$/,
    certificates: /^cafile$/,
  },
  {
    shown: 'pip.conf',
    variables: ['PIP_CONFIG_FILE'],
    homePaths: ['.config/pip/pip.conf', '.pip/pip.conf'],
    keys: /^(?:index-url|extra-index-url|index|no-index|trusted-host|proxy|cert|timeout|default-timeout|retries|break-system-packages)$/,
    certificates: /^cert$/,
  },
];

const maxBytes = 2_000_000;

/** Reads the settings, and writes the files without tokens and keys. */
export function findNetworkSettings(options: NetworkOptions): NetworkSettings {
  const { env } = options;
  const found: CollectedSettings = { names: [], env: {}, files: [], unusable: [] };
  const show = (name: string, text: string) => {
    mkdirSync(options.folder, { recursive: true });
    const from = join(options.folder, name);
    // a sandbox that was opened before it left the file, which nobody but root may write again
    rmSync(from, { force: true });
    writeFileSync(from, text, { mode: 0o444 });
    const at = join(options.shownAt, name);
    found.files.push({ at, from });
    return at;
  };
  for (const name of options.withProxies ? proxies : []) {
    const value = env[name] || env[name.toLowerCase()];
    if (!value) continue;
    found.names.push(name);
    found.env[name] = value;
    found.env[name.toLowerCase()] = value;
  }
  for (const name of certificateFiles.filter(each => env[each])) {
    const certificates = certificatesIn(env[name] ?? '');
    if (certificates === '') found.unusable.push(name);
    else {
      found.names.push(name);
      found.env[name] = show(`${name}.pem`, certificates);
    }
  }
  for (const name of registries.filter(each => env[each])) {
    found.names.push(name);
    found.env[name] = withoutUser(env[name] ?? '');
  }
  for (const file of configurationFiles) {
    const text = readConfiguration(file, options);
    if (text === undefined) continue;
    const keys = options.withProxies ? file.keys : withoutProxies(file.keys);
    const kept = keptLines(text, { ...file, keys }, path => {
      const certificates = certificatesIn(path);
      return certificates === '' ? undefined : show(`${file.shown}.pem`, certificates);
    });
    if (kept === '') continue;
    found.names.push(file.shown);
    found.env[file.variables[0]] = show(file.shown, kept);
  }
  return found;
}

/** The same keys except those of a proxy. */
const withoutProxies = ({ source }: RegExp) => new RegExp(`^(?!.*proxy$)${source}`);

interface CollectedSettings {
  readonly names: string[];
  readonly env: Record<string, string>;
  readonly files: Part[];
  readonly unusable: string[];
}

function readConfiguration(
  { variables, homePaths }: ConfigurationFile,
  { env, home }: NetworkOptions,
): string | undefined {
  const named = variables.flatMap(name => env[name] || []);
  const paths = named.length > 0 ? named : homePaths.map(path => join(home, path));
  for (const path of paths) {
    const text = readSmall(path);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The lines of a file of `key = value` whose keys are kept, and their continuation lines; empty if there are none. */
function keptLines(
  text: string,
  { keys, certificates }: ConfigurationFile,
  showCertificates: (path: string) => string | undefined,
): string {
  const lines: string[] = [];
  let isKept = false;
  let count = 0;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*\[[^\]=]*\]\s*$/.test(line)) {
      lines.push(line);
      isKept = false;
      continue;
    }
    const [, key = '', separator = '', value = ''] =
      /^([^\s=;#][^=]*?)(\s*=\s*|$)(.*)$/.exec(line) ?? [];
    if (key !== '') {
      const name = key.trim().toLowerCase().replaceAll('_', '-');
      isKept = separator !== '' && keys.test(name);
      const path = isKept && certificates.test(name) ? showCertificates(value.trim()) : value;
      isKept &&= path !== undefined;
      if (!isKept) continue;
      count += 1;
      lines.push(`${key}${separator}${/proxy$/.test(name) ? path : withoutUser(path ?? '')}`);
    } else if (isKept && /^\s+\S/.test(line)) lines.push(withoutUser(line));
  }
  return count === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The same addresses without the user and password in them. */
function withoutUser(text: string): string {
  return text.replace(/\/\/[^/\s]*@/g, '//');
}

/** The certificates of a PEM file, without keys; empty when it has none or cannot be read. */
function certificatesIn(path: string): string {
  const found = readSmall(path)?.match(
    /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g,
  );
  return (found ?? []).map(each => `${each}\n`).join('');
}

function readSmall(path: string): string | undefined {
  return readBeginning(path, maxBytes)?.toString('utf8');
}

/**
 * The sum of the kernel counters `OutNoRoutes` for IPv4 and IPv6.
 * @param account text of `/proc/net/snmp` and `/proc/net/snmp6`.
 * @returns undefined when the text has no such counter.
 */
export function countRefused(account: string): number | undefined {
  const rows = account.split('\n').filter(line => line.startsWith('Ip: '));
  const [names = [], values = []] = rows.map(line => line.split(' '));
  const four = values[names.indexOf('OutNoRoutes')];
  const six = /^Ip6OutNoRoutes\s+(\d+)/m.exec(account)?.[1];
  if (four === undefined && six === undefined) return undefined;
  return Number(four ?? 0) + Number(six ?? 0);
}
