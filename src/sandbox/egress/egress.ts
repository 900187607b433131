/** Egress by host: gives a command without network a filtering proxy, on loopback inside the sandbox. */
import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Connections } from '../../base/outcome.ts';
import { type EgressOptions, internet, startEgressProxy } from '../../process/egress/proxy.ts';
import { isWithin } from '../../workspace/files/locate.ts';
import { bridgeProgram } from '../inside.ts';
import type { Machine } from '../launchers/launcher.ts';

/** A command that runs with the proxy. */
interface EgressCommand {
  readonly machine: Machine;
  readonly argv: readonly string[];
  /** Ends the proxy of the command. */
  close(): readonly Connections[];
}

export interface Egress {
  /** Adds the proxy to a command. */
  enter(machine: Machine, argv: readonly string[]): EgressCommand;
  close(): void;
}

/** Loopback belongs to one command, so the port is always free when it starts. */
const port = 20_128;

/** Opens what adds the proxy to commands. @param scratch a folder of Photon, for the sockets. */
export function openEgress(
  scratch: string,
  { reach = internet, ...options }: Omit<EgressOptions, 'reach'> & Partial<EgressOptions>,
): Egress {
  const folder = join(scratch, 'egress');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // a path of a socket holds about a hundred characters, and the folder of a run can be deeper
  const held = openSync(folder, 'r');
  const short = `/proc/self/fd/${held}`;
  const node = realpathSync(process.execPath);
  let count = 0;
  const enter: Egress['enter'] = (machine, argv) => {
    count += 1;
    const name = String(count);
    const proxy = startEgressProxy(join(short, name), { ...options, reach });
    const inside = join(machine.emptyFolders[0] ?? '/run', 'photon-egress');
    // every command sees the node of Photon, except one that is a package of the checkout
    const isOwn = isWithin(node, machine.workspacePath);
    const program = isOwn ? join(inside, 'node') : node;
    const parts = [
      isOwn ? { at: program, from: node } : undefined,
      { at: join(inside, 'socket'), from: join(folder, name) },
    ].filter(item => item !== undefined);
    return {
      machine: {
        ...machine,
        parts: [...machine.parts, ...parts],
        env: { ...machine.env, ...proxyVariables(machine.env) },
      },
      argv: [program, '-e', bridgeProgram, String(port), join(inside, 'socket'), ...argv],
      close: proxy.close,
    };
  };
  return { enter, close: () => closeSync(held) };
}

/** What tools read to find a proxy. */
function proxyVariables(env: Machine['env']): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = 'localhost,127.0.0.1,::1';
  const java = ['http', 'https']
    .map(scheme => `-D${scheme}.proxyHost=127.0.0.1 -D${scheme}.proxyPort=${port}`)
    .join(' ');
  const named = (names: string, value: string) => names.split(' ').map(name => [name, value]);
  return Object.fromEntries([
    ...named('HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy', proxy),
    ...named('npm_config_proxy npm_config_https_proxy PIP_PROXY CARGO_HTTP_PROXY', proxy),
    ...named('YARN_HTTP_PROXY YARN_HTTPS_PROXY', proxy),
    ...named('NO_PROXY no_proxy npm_config_noproxy', direct),
    ...named('NODE_USE_ENV_PROXY', '1'),
    ...['MAVEN_OPTS', 'GRADLE_OPTS'].map(name => [name, `${env[name] ?? ''} ${java}`.trim()]),
  ]);
}
