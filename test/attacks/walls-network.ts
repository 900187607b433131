/** Attacks on a network that ends at one host. Nothing of that host exists: only what must not be reached does. */
import { type AddressInfo, createServer } from 'node:net';
import { type Attack, running, throughAction } from './attack.ts';
import { ended, withHome } from './walls-files.ts';

interface NetworkRow {
  readonly name: string;
  readonly attack: string;
  readonly wall: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The command, with the port of the server that it must not reach. */
  readonly line: (port: number) => string;
}

const byHost = ({ name, attack, wall, line, inputs }: NetworkRow): Attack => ({
  id: `walls/${name}`,
  attack,
  wall,
  control: true,
  ...ended,
  play: async setup => {
    let reached = 0;
    const server = createServer(socket => {
      socket.on('error', () => socket.destroy());
      // the probe of the sandbox connects and says nothing
      socket.on('data', () => {
        reached += 1;
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
    try {
      const scenario = {
        env: withHome(setup.folder),
        inputs: inputs ?? { network: 'allow, registry.example.org' },
        script: running(line((server.address() as AddressInfo).port)),
      };
      return await throughAction(setup, scenario, () =>
        reached > 0 ? 'reached a server' : undefined,
      );
    } finally {
      server.close();
    }
  },
});

export const wallsOfNetwork: readonly Attack[] = [
  byHost({
    name: 'network-past-proxy',
    attack: 'A command that may reach one host connects to another without the proxy',
    wall: 'Commands have no network but the socket of the filtering proxy',
    line: port => `curl -sS -m 10 --noproxy '*' http://127.0.0.1:${port}/`,
  }),
  byHost({
    name: 'network-beside-services',
    attack: 'A command that may reach a service of the job connects to another port of the machine',
    wall: 'Each listed port has a relay, and commands have no other way out',
    inputs: { network: 'services', services: '6379, localhost:6380' },
    line: port =>
      `for at in 127.0.0.1 localhost [::1] 127.0.1.2; do curl -sS -m 10 http://$at:${port}/; curl -sS -m 10 --proxy http://$at:6379 http://127.0.0.1:${port}/; done`,
  }),
  byHost({
    name: 'network-by-address',
    attack: 'A command that may reach one host asks the proxy for an address',
    wall: 'The filtering proxy takes plain host names and resolves them itself',
    line: port => `NO_PROXY= no_proxy= curl -sS -m 10 http://127.0.0.1:${port}/`,
  }),
  byHost({
    name: 'network-other-header',
    attack: 'A command names the host that it may reach in the Host header of a request to another',
    wall: 'The filtering proxy compares the Host header with the address',
    line: port =>
      `NO_PROXY= no_proxy= curl -sS -m 10 -H 'Host: registry.example.org' http://127.0.0.1:${port}/`,
  }),
];
