/** Decides which hosts and addresses a command can reach through the filtering proxy. Pure. */
import { BlockList, isIP } from 'node:net';
import type { Connections } from '../../base/outcome.ts';
import { plainHost } from '../../settings/sandbox.ts';

/** A host by name, and a port of it. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Why a connection was refused or failed. */
export const refusals = {
  malformed: 'not a request that the proxy understands',
  form: 'not a host name in its plain form',
  list: 'not in the setting network',
  header: 'a Host header that names another host',
  unresolved: 'the name does not resolve',
  private: 'the name leads to an address that is not public',
  upstream: 'the proxy of this network refused it',
  failed: 'no connection',
  content: 'neither TLS nor HTTP for this host',
} as const;

export type EgressRefusal = keyof typeof refusals;

/** Reads `host` or `host:port`; undefined unless the host is a name in its plain form, so that it has one spelling. */
export function readDestination(
  text: string,
  defaultPort: number | undefined,
): Destination | undefined {
  const [, host = '', digits] = /^([^:]*)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  if (!plainHost.test(host) || port === undefined || port > 65_535) return undefined;
  return { host, port };
}

/** True when an entry names the destination: ports 80 and 443, or the port that the entry names. */
export function isListed(entries: readonly string[], { host, port }: Destination): boolean {
  return entries.some(item => {
    const [name = '', digits] = item.split(':');
    const matches = name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
    return (
      matches && (digits === undefined ? port === 443 || port === 80 : port === Number(digits))
    );
  });
}

/** A request to forward: where it goes, and its path there. */
interface ForwardTarget extends Destination {
  readonly path: string;
}

/** What a plain HTTP request to the proxy says about where it goes. */
interface HttpHead {
  readonly url: string;
  readonly rawHeaders: readonly string[];
  /** Where the tunnel leads that it came through; undefined if it came directly. */
  readonly tunnel: Destination | undefined;
}

/** Finds where a request goes. A request through a tunnel goes nowhere else. */
export function readTarget({ url, rawHeaders, tunnel }: HttpHead): ForwardTarget | EgressRefusal {
  const named = tunnel === undefined ? /^http:\/\/([^/?#]*)([^#]*)$/.exec(url) : undefined;
  if (tunnel === undefined && named === null) return 'malformed';
  const [, authority = '', rest = ''] = named ?? [];
  const to = tunnel ?? readDestination(authority, 80);
  if (to === undefined) return 'form';
  if (!sameHost(rawHeaders, to, 80)) return 'header';
  const path = tunnel === undefined ? rest : url;
  if (tunnel !== undefined && !path.startsWith('/')) return 'malformed';
  return { ...to, path: path.startsWith('/') ? path : `/${path}` };
}

/** True when no Host header names another host or port. */
export function sameHost(
  rawHeaders: readonly string[],
  { host, port }: Destination,
  defaultPort: number | undefined,
): boolean {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && isName(rawHeaders[i - 1], 'host'));
  const allowed = [
    `${host}:${port}`,
    port === defaultPort || defaultPort === undefined ? host : undefined,
  ].filter(item => item !== undefined);
  return hosts.length < 2 && hosts.every(value => allowed.includes(value));
}

const isName = (text: string | undefined, name: string) => text?.toLowerCase() === name;

/** Headers of one connection (RFC 9110, section 7.6.1); a proxy does not pass them on. */
const ofConnection = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  'expect',
  'http2-settings',
]);

/** A sender must not name these as headers of the connection: without them, a body has no end. */
const ofMessage = new Set(['host', 'content-length']);

/** The headers to pass on, as names and values in turn. */
export function passedHeaders(rawHeaders: readonly string[]): readonly string[] {
  const pairs = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : [],
  );
  const named = pairs.filter(([name]) => isName(name, 'connection'));
  const dropped = new Set(named.flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/)));
  return pairs
    .filter(([name]) => {
      const key = name.toLowerCase();
      return !ofConnection.has(key) && (ofMessage.has(key) || !dropped.has(key));
    })
    .flat();
}

const maxRows = 100;

/** Adds rows that have the same destination and the same end; after a hundred, the rest counts as `(others)`. */
export function addConnections(
  rows: readonly Connections[],
  more: readonly Connections[],
): readonly Connections[] {
  const known = new Map<string, Connections>();
  for (const row of [...rows, ...more]) {
    const own = keyOf(row);
    const kept =
      known.has(own) || known.size < maxRows ? row : { ...row, host: '(others)', port: 0 };
    const key = keyOf(kept);
    const before = known.get(key);
    known.set(key, before === undefined ? kept : sum(before, kept));
  }
  return [...known.values()];
}

const keyOf = ({ host, port, allowed, reason }: Connections) =>
  JSON.stringify([host, port, allowed, reason]);

function sum(a: Connections, b: Connections): Connections {
  return {
    ...a,
    connections: a.connections + b.connections,
    bytesIn: a.bytesIn + b.bytesIn,
    bytesOut: a.bytesOut + b.bytesOut,
  };
}

/** A host as text to show: letters, digits and what addresses consist of, at most a hundred characters. */
export function shownHost(text: string): string {
  return text.slice(0, 100).replace(/[^\w.:[\]@/*%-]/g, '?');
}

/** True when a list such as `NO_PROXY` names the host. */
export function isDirect(noProxy: string, { host, port }: Destination): boolean {
  return noProxy.split(/[\s,]+/).some(item => {
    const [name = '', digits] = item
      .toLowerCase()
      .replace(/^\*?\./, '')
      .split(':');
    if (name === '' || (digits !== undefined && Number(digits) !== port)) return item === '*';
    return name === '*' || host === name || host.endsWith(`.${name}`);
  });
}

/** Special-purpose ranges of IPv4 (RFC 6890). They hold most hosts of a cloud, such as 169.254.169.254 and 100.100.100.200. */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The host of Azure, which gives keys to every virtual machine, has an address of the internet. */
const hosts = ['168.63.129.16/32'];

/** Ranges inside 2000::/3 that are not ordinary hosts, or that hold an IPv4 address: Teredo, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked = blockList([...special, ...hosts], 'ipv4');
const global6 = blockList(['2000::/3'], 'ipv6');
const blocked6 = blockList(special6, 'ipv6');

/** True for an address that the whole internet can reach. Of IPv6, only 2000::/3 has such addresses. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blocked.check(address);
  return family === 6 && global6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

function blockList(ranges: readonly string[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), type);
  }
  return list;
}
