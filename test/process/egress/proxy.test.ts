/** The filtering proxy by itself: what attacks it from inside a sandbox, over the socket that a sandbox has. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  connect as connectTls,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../../src/base/outcome.ts';
import { type EgressOptions, startEgressProxy } from '../../../src/process/egress/proxy.ts';
import { isPublic, refusals } from '../../../src/process/egress/rules.ts';
import { makeAuthority, startProxy, startTlsFront } from '../../doubles/proxy.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
const host = 'registry.example.org';
const authority = makeAuthority(folder);

/** What reached a server of the outside. */
const arrived: string[] = [];
let bodies = '';
const server: Server = createServer((request, response) => {
  arrived.push(`${request.method} ${request.headers.host}${request.url}`);
  request.on('data', data => {
    bodies += data;
  });
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('only this', () => response.destroy());
  } else request.on('end', () => response.end('from outside'));
});
let port = 0;
let tls: Awaited<ReturnType<typeof startTlsFront>>;
/** Listens, and answers nothing. */
const silent = createTcp(socket => {
  arrived.push('silent');
  socket.on('error', () => socket.destroy());
});

beforeAll(async () => {
  for (const each of [server, silent])
    await new Promise<void>(done => each.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
  tls = await startTlsFront(`http://127.0.0.1:${port}`, authority.sign([host]));
});
beforeEach(() => {
  arrived.length = 0;
  bodies = '';
});
afterAll(() => {
  tls.close();
  server.close();
  silent.close();
  discard(folder);
});

let count = 0;

interface Client {
  readonly socket: Socket;
  /** What it received when this matches, or when it was closed. */
  until(pattern: RegExp): Promise<string>;
}

interface Place {
  client(): Client;
  close(): readonly Connections[];
}

const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
const open: EgressOptions['reach'] = { lookup: loopback, mayReach: () => true };

function start(options: Partial<EgressOptions> = {}): Place {
  count += 1;
  const path = join(folder, `s${count}`);
  const hosts = [`${host}:${port}`, `*.example.org:${tls.port}`];
  const proxy = startEgressProxy(path, { hosts, env: {}, reach: open, ...options });
  return {
    close: proxy.close,
    client: () => {
      const socket = connect(path);
      let text = '';
      let changed = () => {};
      let isClosed = false;
      socket.on('data', data => {
        text += data.toString('latin1');
        changed();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        isClosed = true;
        changed();
      });
      const until = (pattern: RegExp) =>
        new Promise<string>(done => {
          changed = () => {
            if (isClosed || pattern.test(text)) done(text);
          };
          changed();
        });
      return { socket, until };
    },
  };
}

/** The reply to one request. */
async function ask(request: string, options: Partial<EgressOptions> = {}) {
  const place = start(options);
  const { socket, until } = place.client();
  socket.write(request);
  const text = await until(/\r\n\r\n[\s\S]*(?:Photon: .*\n|from outside)|^HTTP\S+ 200 Conn/);
  socket.destroy();
  return { text, rows: place.close() };
}

const get = (url: string, ...headers: string[]) =>
  `GET ${url} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;

/** The handshake message of a TLS hello, without the header of its record. */
function helloFor(servername: string): Promise<Buffer> {
  return new Promise(done => {
    const listener = createTcp(socket => {
      socket.on('error', () => {});
      socket.once('data', data => {
        socket.destroy();
        listener.close();
        done(data.subarray(5));
      });
    });
    listener.listen(0, '127.0.0.1', () => {
      const { port: own } = listener.address() as AddressInfo;
      connectTls({ port: own, host: '127.0.0.1', servername }).on('error', () => {});
    });
  });
}

function record(message: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0x16, 3, 1, message.length >> 8, message.length & 255]),
    message,
  ]);
}

/** The same hello as a record, with one more and empty extension. */
function withExtension(hello: Buffer, id: number): Buffer {
  const sessionAt = 4 + 2 + 32;
  const ciphersAt = sessionAt + 1 + (hello[sessionAt] ?? 0);
  const methodsAt = ciphersAt + 2 + hello.readUInt16BE(ciphersAt);
  const extensionsAt = methodsAt + 1 + (hello[methodsAt] ?? 0);
  const longer = Buffer.concat([hello, Buffer.from([id >> 8, id & 255, 0, 0])]);
  longer.writeUInt16BE(hello.readUInt16BE(extensionsAt) + 4, extensionsAt);
  longer.writeUIntBE(longer.length - 4, 1, 3);
  return record(longer);
}

describe('plain requests', () => {
  const at = () => `${host}:${port}`;

  it('reach a listed host, without what is meant for the proxy', async () => {
    const { text, rows } = await ask(
      get(`http://${at()}/a?b`, `Host: ${at()}`, 'Proxy-Authorization: Basic eA==', 'X-Own: 1'),
    );
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    expect(arrived).toEqual([`GET ${at()}/a?b`]);
    expect(rows).toMatchObject([{ host, port, allowed: true, reason: '', connections: 1 }]);
    expect(rows[0]?.bytesIn).toBeGreaterThan(12);
    expect(rows[0]?.bytesOut).toBeGreaterThan(12);
  });

  const refused: readonly (readonly [string, () => string, keyof typeof refusals])[] = [
    ['another host', () => get('http://evil.example.com/', 'Host: evil.example.com'), 'list'],
    [
      'the domain above',
      () => get(`http://example.org:${tls.port}/`, `Host: example.org:${tls.port}`),
      'list',
    ],
    ['another port', () => get(`http://${host}:1/`, `Host: ${host}:1`), 'list'],
    [
      'letters of another script',
      () => get(`http://registry.ex\u0430mple.org:${port}/`, 'Host: a'),
      'malformed',
    ],
    ['an address', () => get(`http://127.0.0.1:${port}/`, `Host: ${at()}`), 'form'],
    ['an address as a number', () => get(`http://2130706433:${port}/`, `Host: ${at()}`), 'form'],
    ['an address of IPv6', () => get(`http://[::1]:${port}/`, `Host: ${at()}`), 'form'],
    ['one label', () => get(`http://localhost:${port}/`, `Host: ${at()}`), 'form'],
    ['a dot at the end', () => get(`http://${host}.:${port}/`, `Host: ${host}.:${port}`), 'form'],
    ['upper case', () => get(`http://${host.toUpperCase()}:${port}/`, `Host: ${at()}`), 'form'],
    ['a user', () => get(`http://${at()}@evil.example.com/`, `Host: ${at()}`), 'form'],
    ['a backslash', () => get(`http://evil.example.com\\.${at()}/`, `Host: ${at()}`), 'malformed'],
    [
      'a percent sign',
      () => get(`http://registry%2eexample.org:${port}/`, `Host: ${at()}`),
      'form',
    ],
    ['another Host header', () => get(`http://${at()}/`, 'Host: evil.example.com'), 'header'],
    ['two Host headers', () => get(`http://${at()}/`, `Host: ${at()}`, `Host: ${at()}`), 'header'],
    ['no absolute address', () => get('/', `Host: ${at()}`), 'malformed'],
    ['TLS by the proxy', () => get(`https://${at()}/`, `Host: ${at()}`), 'malformed'],
    [
      'two lengths',
      () => get(`http://${at()}/`, `Host: ${at()}`, 'Content-Length: 1', 'Content-Length: 2'),
      'malformed',
    ],
    [
      'a length and chunks',
      () =>
        get(`http://${at()}/`, `Host: ${at()}`, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      'malformed',
    ],
    [
      'another coding',
      () => get(`http://${at()}/`, `Host: ${at()}`, 'Transfer-Encoding: gzip, chunked'),
      'malformed',
    ],
    [
      'a folded header',
      () =>
        get(`http://${at()}/`, `Host: ${at()}`, 'X: a\r\n  Host: b\r\nTransfer-Encoding : chunked'),
      'malformed',
    ],
    ['a header without CR', () => `GET http://${at()}/ HTTP/1.1\nHost: ${at()}\n\n`, 'malformed'],
  ];
  it.each(refused)('%s is refused', async (_, request, refusal) => {
    const { text, rows } = await ask(request());
    expect(text).toMatch(/^HTTP\/1.1 40[03] /);
    expect(text).toContain(`Photon: ${refusals[refusal]}.`);
    expect(rows).toMatchObject([{ allowed: false, reason: refusals[refusal], bytesOut: 0 }]);
    expect(rows[0]?.host).toMatch(/^[\w.:[\]@/*%?-]{0,100}$/);
    expect(arrived).toEqual([]);
  });

  it('a body cannot become a second request', async () => {
    const hidden = `GET http://${at()}/hidden HTTP/1.1\r\nHost: ${at()}\r\n\r\n`;
    const head = (...more: string[]) =>
      [
        'GET',
        `http://${at()}/one`,
        'HTTP/1.1\r\nHost:',
        `${at()}\r\n${more.join('\r\n')}\r\n\r\n`,
      ].join(' ');
    await ask(head('Connection: content-length', `Content-Length: ${hidden.length}`) + hidden);
    const size = hidden.length.toString(16);
    await ask(
      `${head('Connection: close', 'Transfer-Encoding: chunked')}${size}\r\n${hidden}\r\n0\r\n\r\n`,
    );
    expect(arrived).toEqual([`GET ${at()}/one`, `GET ${at()}/one`]);
    expect(bodies).toBe(hidden + hidden);
  });

  it('each request of a connection is judged by itself', async () => {
    const place = start();
    const { socket, until } = place.client();
    socket.write(`GET http://${at()}/first HTTP/1.1\r\nHost: ${at()}\r\n\r\n`);
    await until(/from outside/);
    socket.write(get('http://evil.example.com/second', 'Host: evil.example.com'));
    expect(await until(/Photon:/)).toContain(refusals.list);
    expect(arrived).toEqual([`GET ${at()}/first`]);
    expect(place.close()).toHaveLength(2);
  });

  it('a reply that was cut off is not passed on as a whole', async () => {
    const place = start();
    const { socket, until } = place.client();
    socket.write(`GET http://${at()}/cut HTTP/1.1\r\nHost: ${at()}\r\n\r\n`);
    const text = await until(/never/);
    expect(text).toMatch(/content-length: 100\r\n[\s\S]*only this$/i);
    expect(place.close()).toHaveLength(1);
  });
});

describe('tunnels', () => {
  const to = () => `${host}:${tls.port}`;
  const connectTo = (target: string, ...headers: string[]) =>
    `CONNECT ${target} HTTP/1.1\r\n${headers.map(h => `${h}\r\n`).join('')}\r\n`;

  const refused: readonly (readonly [string, () => string, keyof typeof refusals])[] = [
    ['another host', () => connectTo('evil.example.com:443', 'Host: a'), 'header'],
    [
      'another host, well-formed',
      () => connectTo('evil.example.com:443', 'Host: evil.example.com:443'),
      'list',
    ],
    ['another port', () => connectTo(`${host}:22`, `Host: ${host}:22`), 'list'],
    ['no port', () => connectTo(host, `Host: ${host}`), 'form'],
    ['port zero', () => connectTo(`${host}:0`, `Host: ${host}:0`), 'form'],
    ['an address', () => connectTo(`127.0.0.1:${tls.port}`, `Host: ${to()}`), 'form'],
    ['an address of IPv6', () => connectTo(`[::1]:${tls.port}`, `Host: ${to()}`), 'form'],
    ['a dot at the end', () => connectTo(`${host}.:${tls.port}`, `Host: ${to()}`), 'form'],
    ['upper case', () => connectTo(to().toUpperCase(), `Host: ${to()}`), 'form'],
    ['another Host header', () => connectTo(to(), 'Host: evil.example.com'), 'header'],
  ];
  it.each(refused)('to %s is refused', async (_, request, refusal) => {
    const { text, rows } = await ask(request());
    expect(text).toMatch(/^HTTP\/1.1 403 /);
    expect(rows).toMatchObject([{ allowed: false, reason: refusals[refusal] }]);
    expect(arrived).toEqual([]);
  });

  const tunnel = async (place: Place, target = to()) => {
    const { socket, until } = place.client();
    socket.write(connectTo(target, `Host: ${target}`));
    expect(await until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 200 /);
    socket.removeAllListeners('data');
    return { socket, until };
  };
  const secure = (socket: Socket, servername: string) =>
    connectTls({ socket, servername, ca: authority.sign([host]).cert, rejectUnauthorized: false });

  it('TLS to the same host passes, and another or no server name does not', async () => {
    const place = start();
    for (const servername of [host, 'other.example.org', '']) {
      const { socket } = await tunnel(place);
      const inside = secure(socket, servername);
      const text = await new Promise<string>(done => {
        let read = '';
        inside.on('data', data => {
          read += data;
        });
        inside.on('error', () => done('refused'));
        inside.on('close', () => done(read || 'refused'));
        inside.on('secureConnect', () => inside.write(get('/', `Host: ${host}`)));
      });
      if (servername === host) expect(text).toContain('from outside');
      else expect(text).toBe('refused');
    }
    expect(arrived).toHaveLength(1);
    const rows = place.close();
    expect(rows.find(r => r.reason === refusals.content)).toMatchObject({ connections: 2 });
  });

  it('a TLS hello that hides its name, or comes in pieces, is refused', async () => {
    const hello = await helloFor(host);
    const hidden = withExtension(hello, 0xfe0d);
    const pieces = Buffer.concat([record(hello.subarray(0, 60)), record(hello.subarray(60))]);
    for (const bytes of [hidden, pieces]) {
      const place = start();
      const { socket, until } = await tunnel(place);
      socket.write(bytes);
      await until(/never/);
      expect(place.close().map(r => r.reason)).toContain(refusals.content);
    }
    expect(arrived).toEqual([]);
  });

  it('HTTP in a tunnel stays at its host, and other bytes go nowhere', async () => {
    const target = `${host}:${port}`;
    const inTunnel = async (text: string) => {
      const place = start();
      const { socket, until } = place.client();
      socket.write(connectTo(target, `Host: ${target}`));
      await until(/\r\n\r\n/);
      socket.write(text);
      const reply = await until(/(?:Photon: .*\n|from outside)/);
      socket.destroy();
      return { reply, rows: place.close() };
    };
    expect((await inTunnel(get('/in', `Host: ${target}`))).reply).toContain('from outside');
    const others = [
      [get('/', 'Host: evil.example.com'), refusals.header],
      [get('http://evil.example.com/', `Host: ${target}`), refusals.malformed],
      [connectTo('evil.example.com:443', `Host: ${target}`), refusals.malformed],
      ['SSH-2.0-OpenSSH_9.6\r\n', refusals.malformed],
    ] as const;
    for (const [text, reason] of others) {
      const { reply, rows } = await inTunnel(text);
      expect(reply).toContain(reason);
      expect(rows.map(r => r.reason)).toEqual([reason]);
    }
    expect(arrived).toEqual([`GET ${target}/in`]);
  });

  it('an open tunnel ends with the proxy, and counts', async () => {
    const silentPort = (silent.address() as AddressInfo).port;
    const place = start({ hosts: [`${host}:${silentPort}`] });
    const read = new Promise(done => {
      silent.once('connection', each => each.once('data', done));
    });
    const { socket, until } = await tunnel(place, `${host}:${silentPort}`);
    const hello = record(await helloFor(host));
    socket.write(hello);
    await read;
    const rows = place.close();
    await until(/never/);
    expect(rows).toMatchObject([{ allowed: true, connections: 1, bytesOut: hello.length }]);
  });
});

describe('names', () => {
  const request = () => get(`http://${host}:${port}/`, `Host: ${host}:${port}`);
  const at = (...addresses: string[]) => ({
    lookup: async () =>
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    mayReach: isPublic,
  });

  it.each([
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1', 'ff02::1'],
    ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.170.2', '::ffff:168.63.129.16'],
    ...['fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'],
    ...['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1'],
  ])('a name that leads to %s is refused, also beside a public address', async address => {
    for (const reach of [at(address), at('93.184.215.14', address)]) {
      const { rows } = await ask(request(), { reach });
      expect(rows).toMatchObject([{ allowed: false, reason: refusals.private }]);
    }
    expect(arrived).toEqual([]);
  });

  it('the address that was checked is the one that is connected to, for each connection', async () => {
    let asked = 0;
    const checked: string[] = [];
    const reach: EgressOptions['reach'] = {
      lookup: async () => {
        asked += 1;
        // a second question for the same connection would lead elsewhere
        return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      },
      mayReach: address => checked.push(address) > 0 && address === '127.0.0.1',
    };
    expect((await ask(request(), { reach })).text).toContain('from outside');
    expect(checked).toEqual(['127.0.0.1']);
    expect((await ask(request(), { reach })).rows).toMatchObject([{ reason: refusals.private }]);
    expect(asked).toBe(2);
  });

  it('a refused name is never looked up, and one that does not resolve says so', async () => {
    let asked = 0;
    const reach: EgressOptions['reach'] = {
      lookup: async () => {
        asked += 1;
        throw new Error('ENOTFOUND');
      },
      mayReach: () => true,
    };
    await ask(get('http://a-secret.evil.example.com/', 'Host: a-secret.evil.example.com'), {
      reach,
    });
    expect(asked).toBe(0);
    expect((await ask(request(), { reach })).rows).toMatchObject([{ reason: refusals.unresolved }]);
  });

  it('a socket that cannot be made ends nothing', async () => {
    const proxy = startEgressProxy(join(folder, 'missing', 's'), {
      hosts: [],
      env: {},
      reach: open,
    });
    await new Promise(done => setImmediate(done));
    expect(proxy.close()).toEqual([]);
  });

  it('what is kept stays small', async () => {
    const place = start();
    const { socket, until } = place.client();
    const names = Array.from({ length: 150 }, (_, i) => `h${i}.evil.example.com`);
    for (const name of names) socket.write(`GET http://${name}/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    socket.write(get('http://last/', 'Host: last'));
    await until(/plain form/);
    const rows = place.close();
    // the last one is refused before the others, which wait for their turn
    expect(rows).toHaveLength(101);
    expect(rows.at(-1)).toMatchObject({ host: '(others)', connections: 51 });
  });
});

describe('through the proxy of the network', () => {
  it.each([
    ['user:pass word', 'user:pass%20word'],
    ['user:pa%ss', 'user:pa%ss'],
  ])(
    'both kinds of requests go there, with %s, unless NO_PROXY names the host',
    async (credentials, written) => {
      const upstream = await startProxy({
        credentials,
        routes: { [`${host}:${port}`]: port },
      });
      const address = `http://${written}@${upstream.host}`;
      const env = { HTTPS_PROXY: address, HTTP_PROXY: address };
      const never: EgressOptions['reach'] = {
        lookup: () => Promise.reject(new Error()),
        mayReach: () => false,
      };
      const request = get(`http://${host}:${port}/`, `Host: ${host}:${port}`);
      try {
        const options = { hosts: ['*.example.org', `*.example.org:${port}`], env, reach: never };
        expect((await ask(request, options)).text).toContain('from outside');
        const other = `CONNECT other.example.org:443 HTTP/1.1\r\nHost: other.example.org:443\r\n\r\n`;
        expect((await ask(other, options)).rows).toMatchObject([{ reason: refusals.upstream }]);
        expect(upstream.asked).toEqual([`${host}:${port}`, 'other.example.org:443']);
        const direct = {
          ...options,
          env: { ...env, NO_PROXY: 'a.test, .example.org' },
          reach: open,
        };
        expect((await ask(request, direct)).text).toContain('from outside');
        expect(upstream.asked).toHaveLength(2);
      } finally {
        await upstream.close();
      }
    },
  );
});

describe('through a proxy that speaks TLS', () => {
  it('its certificate is checked, and requests pass', async () => {
    const upstream = await startProxy({ routes: { [`${host}:${port}`]: port } });
    const front = createTlsServer(authority.sign(['localhost']), socket => {
      const inner = connect(Number(upstream.host.split(':')[1]), '127.0.0.1');
      for (const each of [socket, inner]) each.on('error', () => each.destroy());
      socket.pipe(inner).pipe(socket);
    });
    front.on('tlsClientError', () => {});
    await new Promise<void>(done => front.listen(0, '127.0.0.1', done));
    const env = { HTTPS_PROXY: `https://localhost:${(front.address() as AddressInfo).port}` };
    const request = get(`http://${host}:${port}/`, `Host: ${host}:${port}`);
    const known = getCACertificates('default');
    try {
      expect((await ask(request, { env })).rows).toMatchObject([{ reason: refusals.failed }]);
      setDefaultCACertificates([...known, readFileSync(authority.path, 'utf8')]);
      expect((await ask(request, { env })).text).toContain('from outside');
      expect(upstream.asked).toEqual([`${host}:${port}`]);
    } finally {
      setDefaultCACertificates(known);
      front.close();
      await upstream.close();
    }
  });
});
