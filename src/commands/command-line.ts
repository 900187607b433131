/** The command line: arguments in, text and an exit status out. */
import { PhotonError } from '../codes.ts';
import { usageOf } from '../report/usage.ts';
import { openShipped } from '../session/shipped.ts';
import { commands } from './index.ts';
import type { Terminal } from './terminal.ts';

/** Carries out what the arguments say; an error is told on the standard error. The exit status. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
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
  const tell = (text: string) => {
    terminal.print(text);
    return 0;
  };
  if (name === '--help' || name === '-h' || name === 'help') return tell(usageOf(rest[0] ?? ''));
  if (rest.includes('--help') || rest.includes('-h')) return tell(usageOf(name));
  if (name === '--version') return tell(`${openShipped(terminal.root).version}\n`);
  if (!Object.hasOwn(commands, name))
    throw new PhotonError('USAGE', `There is no command ${JSON.stringify(name)}.`);
  const command = await commands[name]?.();
  return command?.(rest, terminal) ?? 2;
}
