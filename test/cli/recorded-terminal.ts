/** A terminal that records what a command writes, for commands that tests call in this process. */
import type { Command } from '../../src/cli/command.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { root } from '../root.ts';

/** Carries out a command line; what it throws is for its caller. */
export async function carryOut(
  command: Command,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
) {
  const written = { out: '', err: '' };
  const print = (text: string) => {
    written.out += text;
  };
  const terminal = {
    env: { PATH: process.env.PATH ?? '', ...env },
    root,
    signal: new AbortController().signal,
    now: () => Date.now(),
    print,
    printData: print,
    isShown: false,
    tell: (text: string) => {
      written.err += text;
    },
    colours: { out: false, error: false },
  } as unknown as Terminal;
  const code = await command.run(name, args, terminal);
  return { ...written, code };
}
