/** The terminal of the program `photon`. */
import { fstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import { PhotonError } from './base/codes.ts';
import { runCommandLine } from './cli/command-line.ts';
import type { Terminal } from './cli/terminal.ts';

const cancel = new AbortController();
let handlesSignals = false;

/** The status of a program that a closed pipe ended: 128 and the number of SIGPIPE. */
const pipeClosedStatus = 141;

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // the reader, such as `head`, has what it needs
    process.exit(error.code === 'EPIPE' ? pipeClosedStatus : 1);
  });

let isLive = false;
const wipe = '\r\u001b[2K';

/** Writes text where a live line may be. */
function write(stream: NodeJS.WriteStream, text: string): void {
  if (isLive) process.stderr.write(wipe);
  isLive = false;
  stream.write(text);
}

const live: Terminal['live'] = {
  get columns() {
    return process.stderr.columns || 80;
  },
  show: line => {
    if (!isLive && line === '') return;
    process.stderr.write(`${wipe}${line}`);
    isLive = line !== '';
  },
};

const hasColours = (stream: NodeJS.WriteStream) => styleText('red', 'x', { stream }) !== 'x';

const terminal: Terminal = {
  env: process.env,
  root: dirname(dirname(realpathSync(process.argv[1] ?? ''))),
  now: Date.now,
  get signal() {
    // without a handler, the signal itself ends a command that never reads this
    if (!handlesSignals)
      for (const name of ['SIGINT', 'SIGTERM'] as const)
        process.on(name, () => cancel.abort(new PhotonError('CANCELLED')));
    handlesSignals = true;
    return cancel.signal;
  },
  isShown:
    process.stdout.isTTY || (process.env.GITHUB_ACTIONS === 'true' && !fstatSync(1).isFile()),
  columns: process.stdout.isTTY ? process.stdout.columns || undefined : undefined,
  live: process.stderr.isTTY && process.env.TERM !== 'dumb' ? live : undefined,
  colours: { out: hasColours(process.stdout), error: hasColours(process.stderr) },
  printData: text => write(process.stdout, text),
  print: text => write(process.stdout, text),
  tell: text => write(process.stderr, text),
};

process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
