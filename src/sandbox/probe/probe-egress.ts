/** Probes egress by host: a canary reaches a listed host through the proxy, and nothing else. */
import { createServer } from 'node:net';
import type { Guarantee } from '../../base/outcome.ts';
import { runProcess } from '../../process/run-process.ts';
import { openEgress } from '../egress/egress.ts';
import { egressCanaryProgram } from '../inside/egress-canary.ts';
import type { Launch, Machine } from '../launchers/launcher.ts';

interface EgressProbeOptions {
  readonly machine: Machine;
  readonly launch: (machine: Machine, argv: readonly string[]) => Launch;
  /** A folder of Photon, for the sockets. */
  readonly scratch: string;
  /** Path of a Node binary that runs inside the sandbox. */
  readonly node: string;
  readonly token: string;
}

const timeoutMs = 20_000;

/** Runs the canary; no answer counts as broken. */
export async function probeEgress(options: EgressProbeOptions): Promise<Guarantee> {
  const { machine, launch, scratch, node, token } = options;
  let served = 0;
  const server = createServer(socket => {
    served += 1;
    socket.on('error', () => socket.destroy());
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${token.length}\r\nconnection: close\r\n\r\n`;
    socket.once('data', () => socket.end(head + token));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const egress = openEgress(scratch, {
    hosts: [`listed.photon.invalid:${port}`],
    env: {},
    reach: { lookup: async () => [{ address: '127.0.0.1', family: 4 }], mayReach: () => true },
  });
  try {
    const command = egress.enter(machine, [node, '-e', egressCanaryProgram, port, token]);
    const { output } = await runProcess({
      ...launch(command.machine, command.argv),
      timeoutMs,
      maxOutputBytes: 1_000,
      signal: new AbortController().signal,
    });
    command.close();
    return { name: 'egress', holds: output === '[true,true,false]\n' && served === 1 };
  } finally {
    egress.close();
    server.close();
  }
}
