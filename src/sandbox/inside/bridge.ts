/** The bridge to the egress proxy. Its function runs inside the sandbox as the text of a program. */

/** Runs around the command: hands each connection on loopback to the proxy's socket, and ends as the command ends. */
function runBridge([port, path = '', program = '', ...args]: readonly string[]): void {
  const net = process.getBuiltinModule('node:net');
  const os = process.getBuiltinModule('node:os');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const fail = (message: string, code: number) => {
    process.stderr.write(`${message}\n`);
    process.exit(code);
  };
  const server = net.createServer({ allowHalfOpen: true }, client => {
    const proxy = net.connect({ path, allowHalfOpen: true });
    const join = (from: typeof client, to: typeof client) => {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => from.readableEnded || to.destroy());
    };
    join(client, proxy);
    join(proxy, client);
  });
  server.on('error', error => fail(`photon: no proxy: ${error.message}`, 125));
  server.listen(Number(port), '127.0.0.1', () => {
    const command = spawn(program, args, { stdio: 'inherit' });
    command.on('error', error => fail(`${program}: ${error.message}`, 127));
    command.on('exit', (code, signal) =>
      process.exit(signal === null ? (code ?? 1) : 128 + os.constants.signals[signal]),
    );
  });
}

/** The program for `node -e`; its arguments are a port, the path of the proxy's socket, and the command. */
export const bridgeProgram = `(${runBridge})(process.argv.slice(1));`;
