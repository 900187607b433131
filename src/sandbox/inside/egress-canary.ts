/** The canary of egress by host. Its function runs inside the sandbox as the text of a program. */

/** Prints what a request for each host brought, and whether a direct connection was made. */
async function runCanary(port: string, token: string): Promise<void> {
  const net = process.getBuiltinModule('node:net');
  const http = process.getBuiltinModule('node:http');
  const proxy = new URL(process.env.http_proxy ?? '');
  const ask = (host: string): Promise<string | number | undefined> =>
    new Promise(resolve => {
      const request = {
        host: proxy.hostname,
        port: proxy.port,
        path: `http://${host}:${port}/`,
        headers: { host: `${host}:${port}` },
        agent: false,
      };
      const sent = http.get(request, answer => {
        let text = '';
        answer.on('data', chunk => {
          text += chunk;
        });
        answer.on('end', () => resolve(answer.statusCode === 200 ? text : answer.statusCode));
      });
      sent.on('error', () => resolve('error'));
    });
  const connectsDirectly = new Promise<boolean>(resolve => {
    const socket = net.connect({ host: '127.0.0.1', port: Number(port) });
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.setTimeout(1000, () => resolve(false));
  });
  const listed = (await ask('listed.photon.invalid')) === token;
  const other = (await ask('other.photon.invalid')) === 403;
  process.stdout.write(`${JSON.stringify([listed, other, await connectsDirectly])}\n`);
  process.exit(0);
}

/** The program for `node -e`; its arguments are the port of the server and the text that it answers. */
export const egressCanaryProgram = `(${runCanary})(process.argv[1], process.argv[2]);`;
