/** Finds what a command line asks for, and carries it out. */
import { PhotonError } from '../base/codes.ts';
import { openNetwork } from '../process/network.ts';
import { requireSystem, systemName } from '../process/system.ts';
import { didYouMean } from './command.ts';
import { renderHelp, renderOverview } from './help.ts';
import { commands } from './index.ts';
import type { Terminal } from './terminal.ts';

/** Carries out what the first word names: help or a command. @throws PhotonError `USAGE`, and what a command throws. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = args;
  const show = (text: string) => {
    terminal.print(text);
    return 0;
  };
  const { columns } = terminal;
  const load = async (topic: string) => {
    const entry = commands.get(topic);
    if (entry === undefined) throw unknownCommand(topic);
    return { ...(await entry.load()), about: entry.about };
  };
  const help = async (topic: string) => show(renderHelp(topic, await load(topic), { columns }));
  if (name === '--help' || name === '-h' || name === 'help')
    return rest[0] ? help(rest[0]) : show(renderOverview(commands, columns));
  const command = await load(name);
  const end = rest.indexOf('--');
  const options = end < 0 ? rest : rest.slice(0, end);
  if (options.includes('--help') || options.includes('-h')) return help(name);
  requireSystem(systemName);
  for (const note of openNetwork(terminal.env)) terminal.tell(`${note}\n`);
  return command.run(name, rest, terminal);
}

function unknownCommand(name: string): PhotonError {
  const near = didYouMean(name, [...commands.keys()], 'photon ');
  return new PhotonError('USAGE', `There is no command ${JSON.stringify(name)}.${near}`);
}
