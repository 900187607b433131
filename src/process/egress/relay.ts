/** The relay of a service: what commands without a network send to a socket reaches one port, and no other. */
import { connect, createServer, type Socket } from 'node:net';
import { type EgressProxy, join, maxConnections } from './proxy.ts';
import { refusals } from './rules.ts';

/** Starts the relay on a socket at this path. The service is on this machine, or has a name in the network of the job. */
export function startRelay(path: string, to: { host: string; port: number }): EgressProxy {
  const sockets = new Set<Socket>();
  const row = { ...to, allowed: true, reason: '', connections: 0, bytesIn: 0, bytesOut: 0 };
  const server = createServer({ allowHalfOpen: true }, client => {
    const service = connect({ ...to, allowHalfOpen: true });
    row.connections += 1;
    for (const socket of [client, service])
      sockets.add(socket.on('close', () => sockets.delete(socket)));
    service.on('error', () => {
      if (service.bytesRead === 0) row.reason = refusals.failed;
    });
    service.on('data', chunk => {
      row.bytesIn += chunk.length;
    });
    client.on('data', chunk => {
      row.bytesOut += chunk.length;
    });
    join(client, service);
  });
  server.maxConnections = maxConnections;
  // without its socket, the command reaches nothing
  server.on('error', () => {});
  server.listen(path);
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      return row.connections === 0 ? [] : [row];
    },
  };
}
