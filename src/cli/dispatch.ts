/** Finds what a command line asks for, and carries it out. */
import { PhotonError } from '../base/codes.ts';
import { openNetwork } from '../process/network.ts';
import { requireSystem, systemName } from '../process/system.ts';
import { didYouMean } from './command.ts';
import { renderCompletion, renderHelp, renderOverview } from './help.ts';
import { commands, loadCommands } from './index.ts';
import type { Terminal } from './terminal.ts';

/** Carries out what the first word names: help, completion or a command. @throws PhotonError `USAGE`, and what a command throws. */
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
  if (name === 'completion') return show(renderCompletion(rest[0] ?? '', await loadCommands()));
  const command = await load(name);
  const end = rest.indexOf('--');
  const options = end < 0 ? rest : rest.slice(0, end);
  if (options.includes('--help') || options.includes('-h')) return help(name);
  requireSystem(systemName);
  for (const note of openNetwork(terminal.env)) terminal.tell(`${note}\n`);
  return command.run(name, rest, terminal);
}

/** What other programs call a command, by its name here. */
const otherNames: ReadonlyMap<string, RegExp> = new Map([
  ['runs', /^(?:list|ls|log|history)$/],
  ['show last', /^status$/],
  ['run', /^(?:fix|repair|exec|do)$/],
  ['doctor', /^(?:login|auth|check)$/],
  ['validate', /^(?:config|settings|lint)$/],
]);

function unknownCommand(name: string): PhotonError {
  const [meant] = [...otherNames].find(([, others]) => others.test(name)) ?? [];
  const near =
    meant === undefined
      ? didYouMean(name, [...commands.keys()], 'photon ')
      : ` Did you mean photon ${meant}?`;
  return new PhotonError('USAGE', `There is no command ${JSON.stringify(name)}.${near}`);
}
