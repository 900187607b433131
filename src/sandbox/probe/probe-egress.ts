/** Probes egress by host: a canary reaches a listed host through the proxy, and nothing else. */

import { createServer } from 'node:net';
import type { Guarantee } from '../../base/outcome.ts';
import { runProcess } from '../../process/run-process.ts';
import { openEgress } from '../egress/egress.ts';
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

/** Prints what a request for each host brought, and whether a direct connection was made. */
const canary = `
const net=require('net'),http=require('http');
const [port,token]=process.argv.slice(1),via=new URL(process.env.http_proxy);
const ask=host=>new Promise(d=>http.get({host:via.hostname,port:via.port,path:'http://'+host+':'+port+'/',headers:{host:host+':'+port},agent:false},r=>{let t='';r.on('data',c=>t+=c);r.on('end',()=>d(r.statusCode===200?t:r.statusCode))}).on('error',()=>d('error')));
const direct=()=>new Promise(d=>{const s=net.connect({host:'127.0.0.1',port:Number(port)});s.on('connect',()=>d(true));s.on('error',()=>d(false));s.setTimeout(1000,()=>d(false))});
(async()=>{console.log(JSON.stringify([await ask('listed.photon.invalid')===token,await ask('other.photon.invalid')===403,await direct()]));process.exit(0)})();`;

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
    const command = egress.enter(machine, [node, '-e', canary, port, token]);
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
