/**
 * A forward proxy that tunnels with CONNECT (RFC 9110, section 9.3.6), and TLS servers behind it whose
 * certificates come from an authority of their own, as in a network of an enterprise.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { listen } from './serve.ts';

export interface ProxyDouble {
  /** Its address, without credentials. */
  readonly host: string;
  /** `host:port` of every tunnel that was asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Credentials that it demands, `user:password`; it answers 407 without them (RFC 9110, section 15.5.8). */
  readonly credentials?: string;
  /** Ports of 127.0.0.1 by `host:port`; no name of a test is in the DNS. It answers 403 for others. */
  readonly routes: Readonly<Record<string, number>>;
}

export async function startProxy({ credentials, routes }: ProxyOptions): Promise<ProxyDouble> {
  const asked: string[] = [];
  const tunnels = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
  const demanded = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const target = request.url ?? '';
    asked.push(target);
    const port = routes[target];
    socket.on('error', () => socket.destroy());
    const known = credentials === undefined || request.headers['proxy-authorization'] === demanded;
    if (!known || port === undefined) {
      const status = known ? '403 Forbidden' : '407 Proxy Authentication Required';
      socket.end(`HTTP/1.1 ${status}\r\n\r\n`);
      return;
    }
    const behind = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(behind).pipe(socket);
    });
    for (const each of [socket, behind]) tunnels.add(each);
    behind.on('error', () => socket.destroy());
    socket.on('close', () => behind.destroy());
  });
  const port = await listen(server);
  return {
    host: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      for (const each of tunnels) each.destroy();
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** An authority made for a test: the path of its certificate, and what signs a certificate for host names. */
export interface AuthorityDouble {
  readonly path: string;
  sign(hosts: readonly string[]): { readonly key: string; readonly cert: string };
}

/** Makes an authority with openssl, in a folder of the test. */
export function makeAuthority(folder: string): AuthorityDouble {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const pair = (name: string, ...more: string[]) =>
    openssl(
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', `${name}.key`, ...more],
    );
  pair('ca', '-x509', '-days', '2', '-out', 'ca.pem', '-subj', '/CN=Authority of a test');
  return {
    path: join(folder, 'ca.pem'),
    sign: hosts => {
      const names = `subjectAltName=${hosts.map(host => `DNS:${host}`).join(',')}\n`;
      writeFileSync(join(folder, 'names'), names);
      pair('host', '-out', 'host.csr', '-subj', '/CN=host');
      openssl(
        ...['x509', '-req', '-in', 'host.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
        ...['-CAcreateserial', '-days', '2', '-extfile', 'names', '-out', 'host.pem'],
      );
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      return { key: read('host.key'), cert: read('host.pem') };
    },
  };
}

/** A TLS server that hands every request on to an HTTP server on this machine. */
export async function startTlsFront(
  behind: string,
  identity: { readonly key: string; readonly cert: string },
): Promise<{ readonly port: number; close(): void }> {
  const { hostname, port } = new URL(behind);
  const server = createTlsServer(identity, (request, response) => {
    const { method, url: path, headers } = request;
    const onward = send({ hostname, port, method, path, headers }, reply => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return {
    port: await listen(server),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
