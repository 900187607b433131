/** The door of the terminal: arguments and environment in; text and exit status out. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { PhotonError } from './codes.ts';
import { commands } from './commands/index.ts';
import type { Terminal } from './commands/terminal.ts';
import { usageOf } from './report/usage.ts';
import { openShipped } from './session/shipped.ts';

const root = dirname(dirname(dirname(realpathSync(process.argv[1] ?? ''))));

async function main(args: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  const terminal = openTerminal();
  const tell = (text: string) => {
    terminal.print(text);
    return 0;
  };
  if (name === '--help' || name === '-h' || name === 'help') return tell(usageOf(rest[0] ?? ''));
  if (rest.includes('--help') || rest.includes('-h')) return tell(usageOf(name));
  if (name === '--version') return tell(`${openShipped(root).version}\n`);
  if (!Object.hasOwn(commands, name))
    throw new PhotonError('USAGE', `There is no command ${JSON.stringify(name)}.`);
  const command = await commands[name]?.();
  return command?.(rest, terminal) ?? 2;
}

function openTerminal(): Terminal {
  const cancel = new AbortController();
  let heard = false;
  return {
    env: process.env,
    root,
    now: Date.now,
    get signal() {
      // a command that does not ask for it is ended by the signal itself
      if (!heard)
        for (const name of ['SIGINT', 'SIGTERM'] as const)
          process.on(name, () => cancel.abort(new PhotonError('CANCELLED')));
      heard = true;
      return cancel.signal;
    },
    print: text => process.stdout.write(text),
    tell: text => process.stderr.write(text),
  };
}

main(process.argv.slice(2)).then(
  status => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const known = error instanceof PhotonError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `photon: ${known ? error.code : 'INTERNAL'}: ${message}\n${known ? `What to do: ${error.hint}\n` : ''}`,
    );
    process.exitCode = known && error.code === 'USAGE' ? 2 : 1;
  },
);
