/** Carries out a command line and returns the exit status. */
import { styleText } from 'node:util';
import { PhotonError, withSystemCode } from '../base/codes.ts';
import { openNetwork } from '../process/network.ts';
import { requireSystem, systemName } from '../process/system.ts';
import { terminalText } from '../report/escape.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { didYouMean } from './command.ts';
import { statusOfError } from './exit-status.ts';
import { renderCompletion, renderHelp, renderOverview } from './help.ts';
import { commands, loadCommands } from './index.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose output contains no command to the terminal itself, or to a runner that reads it. */
function guarded(terminal: Terminal): Terminal {
  const plain = (text: string) => terminalText(text, terminal.env.GITHUB_ACTIONS === 'true');
  const { live, colours } = terminal;
  const painted = (text: string, stream: 'out' | 'error') =>
    colours[stream] ? coloured(plain(text)) : plain(text);
  return {
    env: terminal.env,
    root: terminal.root,
    now: terminal.now,
    ask: terminal.ask,
    isShown: terminal.isShown,
    columns: terminal.columns,
    colours,
    // read only by commands that can be cancelled
    get signal() {
      return terminal.signal;
    },
    print: text => terminal.print(painted(text, 'out')),
    tell: text => terminal.tell(painted(text, 'error')),
    printData: text => terminal.printData(terminal.isShown ? painted(text, 'out') : text),
    live: live && {
      get columns() {
        return live.columns;
      },
      show: line => live.show(plain(line).replace(/\s+/g, ' ').trimEnd()),
    },
  };
}

/** Carries out a command and returns its exit status. Errors go to standard error. */
export async function runCommandLine(args: readonly string[], start: Terminal): Promise<number> {
  const terminal = guarded(start);
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const known = withSystemCode(error);
    terminal.tell(renderError(known));
    return statusOfError(known);
  }
}

/** What happened, what to do, and the code. */
function renderError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PhotonError)) return `error: ${message} [INTERNAL]\n`;
  const { code, hint } = error;
  return `error: ${message} [${code}]\n${hint === '' ? '' : `help: ${hint}\n`}`;
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = args;
  const show = (text: string) => {
    terminal.print(text);
    return 0;
  };
  const { columns } = terminal;
  const load = async (topic: string) => {
    const command = await commands.get(topic)?.();
    if (command === undefined) throw unknownCommand(topic);
    return command;
  };
  const help = async (topic: string) => show(renderHelp(topic, await load(topic), { columns }));
  if (name === '--help' || name === '-h' || name === 'help')
    return rest[0] ? help(rest[0]) : show(renderOverview(await loadCommands(), columns));
  if (name === '--version' || name === '-V' || name === 'version')
    return show(`${openShipped(terminal.root).version}\n`);
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

/** The first pattern that matches a line colours its match. */
const styles: readonly (readonly [RegExp, Parameters<typeof styleText>[0]])[] = [
  [/^error:/, ['red', 'bold']],
  [/^help:|^Next:/, ['cyan', 'bold']],
  [/^(warning|note):/, ['yellow', 'bold']],
  [/^ *✓/, ['green', 'bold']],
  [/^ *✗/, ['red', 'bold']],
  [/^ *(MISSING|WRONG)\b/, 'red'],
  [/^ *holds\b/, 'green'],
  [/^(diff --git|index |--- |\+\+\+ ).*/, 'bold'],
  [/^@@.*?@@/, 'cyan'],
  [/^\+.*/, 'green'],
  [/^-.*/, 'red'],
  [/^[A-Z][A-Z -]+$/, 'bold'],
  [/^Round \d+$|^ {2}\[Think\].*/, 'dim'],
];

export function coloured(text: string): string {
  return text.replace(/[^\n]+/g, line => {
    for (const [pattern, style] of styles)
      if (pattern.test(line))
        return line.replace(pattern, found => styleText(style, found, { validateStream: false }));
    return line;
  });
}
