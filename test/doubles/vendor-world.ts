/**
 * The world of one vendor: its host behind TLS and a proxy, or a server on this machine. It answers one path, takes one
 * key in one header, and no other host can be reached.
 */
import { type IncomingMessage, request as send } from 'node:http';
import { type AuthorityDouble, startProxy, startTlsFront } from './proxy.ts';
import { serve } from './serve.ts';

export interface VendorPlace {
  /** Empty for a server on this machine. */
  readonly host: string;
  /** The path of its requests, with the query. */
  readonly path: string;
  /** The header of the key and its value; undefined for a server without keys. */
  readonly key: readonly [header: string, value: string] | undefined;
}

export interface VendorWorld {
  /** `127.0.0.1:PORT` of the server itself. */
  readonly local: string;
  /** What a process needs to be in this world. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests that the vendor refused: another path, or without its key. */
  readonly refused: string[];
  /** Hosts that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Opens the world; `behind` is the address of the double that answers what the vendor takes. */
export async function openVendorWorld(
  { host, path, key }: VendorPlace,
  behind: string,
  authority: AuthorityDouble,
): Promise<VendorWorld> {
  const refused: string[] = [];
  const [header, value] = key ?? ['authorization', undefined];
  const gate = await serve((request, response) => {
    const given = request.headers[header];
    const isRight = value === undefined ? isNoKey(request) : given === value;
    if (request.url === path && isRight) {
      const { hostname, port, pathname } = new URL(behind);
      const onward = send(
        { hostname, port, method: 'POST', path: pathname, headers: request.headers },
        reply => {
          response.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
      return;
    }
    refused.push(`${request.url} with ${header}: ${given}`);
    const status = request.url === path ? 401 : 404;
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: status === 401 ? 'wrong key' : 'no route' } }));
  });
  const local = `127.0.0.1:${gate.port}`;
  const front =
    host === '' ? undefined : await startTlsFront(`http://${local}`, authority.sign([host]));
  const proxy = await startProxy({
    routes: front === undefined ? {} : { [`${host}:443`]: front.port },
  });
  return {
    local,
    refused,
    asked: proxy.asked,
    env: {
      HTTPS_PROXY: `http://${proxy.host}`,
      NO_PROXY: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: authority.path,
    },
    close: async () => {
      front?.close();
      await Promise.all([proxy.close(), gate.close()]);
    },
  };
}

/** A server without keys may get the SDK's placeholder, and nothing else. */
function isNoKey({ headers }: IncomingMessage): boolean {
  return [undefined, 'Bearer none'].includes(headers.authorization);
}
