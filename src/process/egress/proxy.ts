/** The filtering proxy, through which commands without network reach listed hosts. It never opens TLS. */
import { lookup as resolve } from 'node:dns/promises';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { getExtensionData, NonTlsError, readTlsClientHello } from 'read-tls-client-hello';
import type { Connections } from '../../base/outcome.ts';
import { decodePercent } from '../../base/system-errors.ts';
import type { Environment } from '../environment.ts';
import {
  addConnections,
  type Destination,
  type EgressRefusal,
  isDirect,
  isListed,
  isPublic,
  passedHeaders,
  readDestination,
  readTarget,
  refusals,
  sameHost,
  shownHost,
} from './rules.ts';

/** How the proxy reaches the outside; a test puts its own in place. */
export interface Reach {
  /** The addresses of a name. */
  readonly lookup: (host: string) => Promise<readonly { address: string; family: number }[]>;
  /** True for an address that commands may reach. */
  readonly mayReach: (address: string) => boolean;
}

export const internet: Reach = {
  lookup: host => resolve(host, { all: true }),
  mayReach: isPublic,
};

export interface EgressOptions {
  /** Entries such as `*.example.org:8443`. */
  readonly hosts: readonly string[];
  /** Holds the proxy of this network, if there is one. */
  readonly env: Environment;
  readonly reach: Reach;
}

/** A proxy or a relay for one command. */
export interface EgressProxy {
  /** Ends it and all its connections. Returns what was reached and refused. */
  close(): readonly Connections[];
}

export const maxConnections = 256;
/** Longest that a connection to a host, or the first bytes of a tunnel, may take. */
const openMs = 30_000;

class EgressError extends Error {
  readonly refusal: EgressRefusal;

  constructor(refusal: EgressRefusal) {
    super(refusals[refusal]);
    this.refusal = refusal;
  }
}

/** Starts the proxy on a socket at this path. */
export function startEgressProxy(path: string, options: EgressOptions): EgressProxy {
  const clients = new Set<Duplex>();
  const remotes = new Map<Socket, Destination>();
  const tunnels = new WeakMap<Duplex, Destination>();
  let rows: readonly Connections[] = [];
  const count = (to: Destination, refusal: EgressRefusal | undefined, socket?: Socket) => {
    const row = {
      host: shownHost(to.host),
      port: to.port,
      allowed: refusal === undefined,
      reason: refusal === undefined ? '' : refusals[refusal],
      connections: 1,
      bytesIn: socket?.bytesRead ?? 0,
      bytesOut: socket?.bytesWritten ?? 0,
    };
    rows = addConnections(rows, [row]);
  };
  const settle = (socket: Socket) => {
    const to = remotes.get(socket);
    if (remotes.delete(socket) && to !== undefined) count(to, undefined, socket);
  };
  const open: Open = async (to, purpose) => {
    if (!isListed(options.hosts, to)) throw new EgressError('list');
    const { socket, via } = await reachHost(to, purpose, options);
    remotes.set(socket, to);
    socket.on('close', () => settle(socket));
    return { socket, via };
  };
  const refuse = (to: Destination, error: unknown) => {
    const refusal = error instanceof EgressError ? error.refusal : 'failed';
    count(to, refusal);
    return refusal;
  };
  const server = createServer({ insecureHTTPParser: false }, (request, response) => {
    const tunnel = tunnels.get(request.socket);
    forward(request, response, { tunnel, open, refuse }).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connection', socket => {
    if (clients.has(socket)) return;
    clients.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clients.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    count(tunnels.get(socket) ?? { host: '', port: 0 }, 'malformed');
    socket.end(answer(400, refusals.malformed));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const to = readDestination(request.url ?? '', undefined);
    const named = to ?? { host: request.url ?? '', port: 0 };
    const work = async () => {
      if (to === undefined) throw new EgressError('form');
      if (tunnels.has(socket)) throw new EgressError('malformed');
      if (!sameHost(request.rawHeaders, to, undefined)) throw new EgressError('header');
      if (!isListed(options.hosts, to)) throw new EgressError('list');
      // to port 80 most tunnels carry requests, for which each needs a connection of its own
      const early = to.port === 80 ? undefined : (await open(to, 'tunnel')).socket;
      if (head.length > 0) socket.unshift(head);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const isTls = await isTlsFor(to, socket).catch(error => {
        early?.destroy();
        socket.destroy();
        throw error;
      });
      if (isTls) join(socket, early ?? (await open(to, 'tunnel')).socket);
      else {
        // every request of the tunnel is read like a request to the proxy
        if (early !== undefined) remotes.delete(early);
        early?.destroy();
        tunnels.set(socket, to);
        server.emit('connection', socket);
        socket.resume();
      }
    };
    work().catch(error => {
      const refusal = refuse(named, error);
      if (!socket.destroyed)
        socket.end(answer(refusal === 'failed' ? 502 : 403, refusals[refusal]));
    });
  });
  // without its socket, the command reaches nothing
  server.on('error', () => {});
  server.listen(path);
  return {
    close: () => {
      server.close();
      for (const client of clients) client.destroy();
      for (const socket of [...remotes.keys()]) {
        settle(socket);
        socket.destroy();
      }
      return rows;
    },
  };
}

function answer(status: number, why: string): string {
  const text = `Photon: ${why}.\n`;
  return `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`;
}

/** Connects to a listed host: for one request, or for a tunnel. */
type Open = (to: Destination, purpose: 'request' | 'tunnel') => Promise<UpstreamConnection>;

interface Forwarding {
  readonly tunnel: Destination | undefined;
  readonly open: Open;
  readonly refuse: (to: Destination, error: unknown) => EgressRefusal;
}

/** Sends a plain HTTP request on, over a connection of its own. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { tunnel, open, refuse }: Forwarding,
): Promise<void> {
  const { url = '', rawHeaders, method } = request;
  const target = readTarget({ url, rawHeaders, tunnel });
  const named = typeof target === 'string' ? (tunnel ?? { host: url, port: 0 }) : target;
  try {
    if (typeof target === 'string') throw new EgressError(target);
    const coding = request.headers['transfer-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'chunked')
      throw new EgressError('malformed');
    const { socket, via } = await open(target, 'request');
    const { host, port, path } = target;
    const authority = port === 80 ? host : `${host}:${port}`;
    const onward = send({
      createConnection: () => socket,
      method,
      path: via === undefined ? path : `http://${authority}${path}`,
      setHost: false,
      headers: [
        ...passedHeaders(rawHeaders).filter((_, i, all) => !isHostPair(all, i)),
        'host',
        authority,
        'connection',
        'close',
        coding === undefined ? undefined : ['transfer-encoding', 'chunked'],
        via === undefined ? undefined : authorization(via),
      ]
        .flat()
        .filter(item => item !== undefined),
    });
    response.on('close', () => socket.destroy());
    request.pipe(onward);
    const reply = await replyTo(onward);
    response.writeHead(reply.statusCode ?? 502, [...passedHeaders(reply.rawHeaders)]);
    pipeline(reply, response, () => {});
  } catch (error) {
    const refusal = refuse(named, error);
    request.resume();
    if (response.headersSent || response.destroyed) response.destroy();
    else
      response
        .writeHead(refusal === 'failed' ? 502 : 403, { 'content-type': 'text/plain' })
        .end(`Photon: ${refusals[refusal]}.\n`);
  }
}

/** True for both parts of a header `host` in names and values in turn. */
function isHostPair(all: readonly string[], index: number): boolean {
  return all[index - (index % 2)]?.toLowerCase() === 'host';
}

function replyTo(onward: ClientRequest): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    onward.on('response', done);
    onward.on('error', fail);
  });
}

/**
 * Reads the first bytes of a tunnel and puts them back.
 * @returns true for TLS to this host, false for what is not TLS. @throws Refused for TLS to another host.
 */
async function isTlsFor({ host }: Destination, socket: Socket): Promise<boolean> {
  const late = () => socket.destroy();
  socket.setTimeout(openMs, late);
  try {
    const hello = await readTlsClientHello(socket);
    // an encrypted hello can name another host inside
    const isHidden = hello.extensions.some(({ id }) => id === encryptedHello);
    if (isHidden || getExtensionData(hello, 'server_name')?.serverName !== host)
      throw new EgressError('content');
    return true;
  } catch (error) {
    if (error instanceof NonTlsError && !socket.destroyed) return false;
    throw error instanceof EgressError ? error : new EgressError('content');
  } finally {
    socket.setTimeout(0);
    socket.off('timeout', late);
  }
}

const encryptedHello = 0xfe0d;

/** Passes bytes in both directions. Each direction ends by itself; a failure ends both. */
export function join(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => from.readableEnded || to.destroy());
  }
}

/** An open connection; `via` is the proxy of this network that it leads to, or undefined. */
interface UpstreamConnection {
  readonly socket: Socket;
  readonly via: URL | undefined;
}

/** Connects to a host, or to the proxy of this network, which then resolves the name. */
async function reachHost(
  to: Destination,
  purpose: Parameters<Open>[1],
  { env, reach }: EgressOptions,
): Promise<UpstreamConnection> {
  const via = findUpstream(env, to);
  if (via !== undefined) {
    const socket = await waitForOpen(connectToProxy(via));
    if (purpose === 'request' && to.port === 80) return { socket, via };
    return { socket: await tunnelThrough(via, socket, to), via: undefined };
  }
  const addresses = await reach.lookup(to.host).catch(() => {
    throw new EgressError('unresolved');
  });
  if (addresses.length === 0) throw new EgressError('unresolved');
  if (!addresses.every(a => reach.mayReach(a.address))) throw new EgressError('private');
  const lookUp: LookupFunction = (_, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
  return {
    socket: await waitForOpen(
      connect({ host: to.host, port: to.port, lookup: lookUp, allowHalfOpen: true }),
    ),
    via: undefined,
  };
}

/** The proxy of this network for a destination. */
function findUpstream(env: Environment, to: Destination): URL | undefined {
  const name = to.port === 80 ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const address = env[name] || env[name.toLowerCase()] || '';
  if (address === '' || isDirect(env.NO_PROXY || env.no_proxy || '', to)) return undefined;
  if (!URL.canParse(address)) throw new EgressError('upstream');
  return new URL(address);
}

function connectToProxy({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:')
    return connectTls({ host, port: Number(port || 443), servername: host });
  return connect({ host, port: Number(port || 80), allowHalfOpen: true });
}

/** The credentials of a proxy as a header, if its address has some. */
function authorization({ username, password }: URL): readonly string[] {
  if (username === '') return [];
  const pair = [username, password].map(decodePercent).join(':');
  return ['proxy-authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

function tunnelThrough(via: URL, socket: Socket, { host, port }: Destination): Promise<Socket> {
  const path = `${host}:${port}`;
  const ask = send({
    createConnection: () => socket,
    method: 'CONNECT',
    path,
    setHost: false,
    headers: ['host', path, ...authorization(via)],
  });
  return new Promise((done, fail) => {
    ask.on('error', fail);
    ask.on('connect', ({ statusCode }, _, head) => {
      if (statusCode !== 200) {
        socket.destroy();
        fail(new EgressError('upstream'));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      done(socket);
    });
    ask.end();
  });
}

function waitForOpen(socket: Socket): Promise<Socket> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), openMs);
    socket.once('error', fail);
    socket.once('close', () => clearTimeout(timer));
    const ready = () => {
      clearTimeout(timer);
      done(socket);
    };
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', ready);
    socket.on('error', () => socket.destroy());
  });
}
