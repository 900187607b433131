/** Egress by host and to services: gives a command without network a filtering proxy and relays, on loopback inside the sandbox. */
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connections } from '../../base/outcome.ts';
import { type EgressOptions, internet, startEgressProxy } from '../../process/egress/proxy.ts';
import { startRelay } from '../../process/egress/relay.ts';
import { readService } from '../../settings/sandbox.ts';
import { isWithin, realPath } from '../../workspace/files/locate.ts';
import { readBeginning } from '../../workspace/files/read-foreign.ts';
import { bridgeProgram, type Inlet } from '../inside.ts';
import type { Machine } from '../launchers/launcher.ts';
import type { Part } from '../readable.ts';
import type { CommandSpec } from '../sandbox.ts';

/** A command that runs with the proxy or with services. */
interface EgressCommand {
  readonly machine: Machine;
  readonly argv: readonly string[];
  /** Ends what the command reached. */
  close(): readonly Connections[];
}

export interface Egress {
  /** Adds the services to a command, and to one with a network the proxy. */
  enter(machine: Machine, command: Pick<CommandSpec, 'argv' | 'network'>): EgressCommand;
  close(): void;
}

/** Loopback belongs to one command, so the port is always free when it starts. */
const proxyPort = 20_128;

const local = '127.0.0.1';

export interface EgressSetting extends Partial<EgressOptions> {
  /** Entries of `readService`. */
  readonly services?: readonly string[] | undefined;
}

/** Opens what adds the proxy and services to commands. @param scratch a folder of Photon, for the sockets. */
export function openEgress(
  scratch: string,
  { hosts, env = {}, reach = internet, services = [] }: EgressSetting,
): Egress {
  const folder = join(scratch, 'egress');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // a path of a socket holds about a hundred characters, and the folder of a run can be deeper
  const held = openSync(folder, 'r');
  const short = `/proc/self/fd/${held}`;
  const node = realpathSync(process.execPath);
  const relays = placeServices(services);
  const named = writeHosts(folder, relays);
  let count = 0;
  const nextSocket = () => {
    count += 1;
    return String(count);
  };
  const openProxy = (online: readonly string[]) => {
    const name = nextSocket();
    const opened = startEgressProxy(join(short, name), { hosts: online, env, reach });
    return { name, opened, at: { host: local, port: proxyPort } };
  };
  const openRelay = ({ to, at }: Relay) => {
    const name = nextSocket();
    return { name, opened: startRelay(join(short, name), to), at };
  };
  const enter: Egress['enter'] = (machine, { argv, network }) => {
    const proxied = network && hosts !== undefined;
    const inlets = [proxied ? openProxy(hosts) : undefined, ...relays.map(openRelay)].filter(
      item => item !== undefined,
    );
    if (inlets.length === 0) return { machine, argv, close: () => [] };
    const inside = join(machine.emptyFolders[0] ?? '/run', 'photon-egress');
    // every command sees the node of Photon, except one that is a package of the checkout
    const isOwn = isWithin(node, machine.workspacePath);
    const program = isOwn ? join(inside, 'node') : node;
    const parts = [
      isOwn ? { at: program, from: node } : undefined,
      named,
      ...inlets.map(({ name }) => ({ at: join(inside, name), from: join(folder, name) })),
    ].filter(item => item !== undefined);
    const ways: readonly Inlet[] = inlets.map(({ name, at }) => ({
      ...at,
      path: join(inside, name),
    }));
    return {
      machine: {
        ...machine,
        parts: [...machine.parts, ...parts],
        env: proxied ? { ...machine.env, ...proxyVariables(machine.env) } : machine.env,
      },
      argv: [program, '-e', bridgeProgram, JSON.stringify(ways), ...argv],
      close: () => inlets.flatMap(({ opened }) => opened.close()),
    };
  };
  return { enter, close: () => closeSync(held) };
}

/** Where a service is outside, and where commands find it. */
interface Relay {
  readonly name: string | undefined;
  readonly to: Pick<Inlet, 'host' | 'port'>;
  readonly at: Pick<Inlet, 'host' | 'port'>;
}

/** Each service with a name has an address of loopback of its own, so that two can have one port. */
function placeServices(entries: readonly string[]): readonly Relay[] {
  return entries.map(readService).map(({ name, port }, i) => ({
    name,
    to: { host: name ?? local, port },
    at: { host: name === undefined ? local : `127.0.1.${i + 1}`, port },
  }));
}

/** The file that commands see as `/etc/hosts`; undefined if no service has a name. */
function writeHosts(folder: string, relays: readonly Relay[]): Part | undefined {
  const lines = relays.filter(r => r.name !== undefined).map(r => `${r.at.host} ${r.name}\n`);
  const at = realPath('/etc/hosts');
  if (lines.length === 0 || at === undefined) return undefined;
  const from = join(folder, 'hosts');
  const known = readBeginning(at, 1_000_000)?.toString('utf8') ?? '';
  rmSync(from, { force: true });
  writeFileSync(from, `${lines.join('')}${known}`, { mode: 0o444 });
  return { at, from };
}

/** What tools read to find a proxy. */
function proxyVariables(env: Machine['env']): Readonly<Record<string, string>> {
  const proxy = `http://${local}:${proxyPort}`;
  const direct = 'localhost,127.0.0.1,::1';
  const java = ['http', 'https']
    .map(scheme => `-D${scheme}.proxyHost=127.0.0.1 -D${scheme}.proxyPort=${proxyPort}`)
    .join(' ');
  const setEach = (names: string, value: string) => names.split(' ').map(name => [name, value]);
  return Object.fromEntries([
    ...setEach('HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy', proxy),
    ...setEach('npm_config_proxy npm_config_https_proxy PIP_PROXY CARGO_HTTP_PROXY', proxy),
    ...setEach('YARN_HTTP_PROXY YARN_HTTPS_PROXY', proxy),
    ...setEach('NO_PROXY no_proxy npm_config_noproxy', direct),
    ...setEach('NODE_USE_ENV_PROXY', '1'),
    ...['MAVEN_OPTS', 'GRADLE_OPTS'].map(name => [name, `${env[name] ?? ''} ${java}`.trim()]),
  ]);
}
