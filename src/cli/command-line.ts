/** Carries out a command line and returns the exit status. */
import { PhotonError } from '../codes.ts';
import { openNetwork } from '../process/network.ts';
import { terminalText } from '../report/escape.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { renderHelp } from './help.ts';
import { commands } from './index.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose output contains no command to the terminal itself, or to a runner that reads it. */
function guarded(terminal: Terminal): Terminal {
  const plain = (text: string) => terminalText(text, terminal.env.GITHUB_ACTIONS === 'true');
  return {
    env: terminal.env,
    root: terminal.root,
    now: terminal.now,
    ask: terminal.ask,
    isShown: terminal.isShown,
    // read only by commands that can be cancelled
    get signal() {
      return terminal.signal;
    },
    print: text => terminal.print(plain(text)),
    tell: text => terminal.tell(plain(text)),
    printData: text => terminal.printData(terminal.isShown ? plain(text) : text),
  };
}

/** Carries out a command and returns its exit status. Errors go to standard error. */
export async function runCommandLine(args: readonly string[], start: Terminal): Promise<number> {
  const terminal = guarded(start);
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const known = error instanceof PhotonError;
    const message = error instanceof Error ? error.message : String(error);
    terminal.tell(
      `photon: ${known ? error.code : 'INTERNAL'}: ${message}\n${known ? `What to do: ${error.hint}\n` : ''}`,
    );
    return known && error.code === 'USAGE' ? 2 : 1;
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = args;
  const show = (text: string) => {
    terminal.print(text);
    return 0;
  };
  if (name === '--help' || name === '-h' || name === 'help') return show(renderHelp(rest[0] ?? ''));
  if (rest.includes('--help') || rest.includes('-h')) return show(renderHelp(name));
  if (name === '--version') return show(`${openShipped(terminal.root).version}\n`);
  if (!Object.hasOwn(commands, name))
    throw new PhotonError('USAGE', `Unknown command ${JSON.stringify(name)}.`);
  for (const note of openNetwork(terminal.env)) terminal.tell(`${note}\n`);
  const command = await commands[name]?.();
  return command?.(rest, terminal) ?? 2;
}
