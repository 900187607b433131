/** Servers of the doubles, on a free port of 127.0.0.1. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** @returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

/** An HTTP server; a request whose handler fails loses its connection. */
export async function serve(handle: Handle) {
  const server = createServer(async (request, response) => {
    try {
      await handle(request, response);
    } catch {
      response.destroy();
    }
  });
  const port = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
