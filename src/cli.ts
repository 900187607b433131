/** Entry point of the terminal: the program `photon`. */
import { fstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { runCommandLine } from './cli/command-line.ts';
import type { Terminal } from './cli/terminal.ts';
import { PhotonError } from './codes.ts';

const cancel = new AbortController();
let handlesSignals = false;

/** An answer from the keyboard; empty if the user ends the input. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

const terminal: Terminal = {
  env: process.env,
  root: dirname(dirname(dirname(realpathSync(process.argv[1] ?? '')))),
  now: Date.now,
  get signal() {
    // without a handler, the signal itself ends a command that never reads this
    if (!handlesSignals)
      for (const name of ['SIGINT', 'SIGTERM'] as const)
        process.on(name, () => cancel.abort(new PhotonError('CANCELLED')));
    handlesSignals = true;
    return cancel.signal;
  },
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  isShown:
    process.stdout.isTTY || (process.env.GITHUB_ACTIONS === 'true' && !fstatSync(1).isFile()),
  printData: text => process.stdout.write(text),
  print: text => process.stdout.write(text),
  tell: text => process.stderr.write(text),
};

process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
