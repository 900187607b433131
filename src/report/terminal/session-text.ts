/** Renders the session of a run for the terminal: what it changed, its calls and its commands. Pure. */
import { plural } from '../../base/plural.ts';
import { changeKind, type FileChange } from '../../workspace/files/change.ts';
import type { CommandRecord } from '../../workspace/session/command-record.ts';
import type { StoredSession } from '../../workspace/session/session-store.ts';
import { countLines } from '../../workspace/text/diff.ts';
import type { PathList } from '../../workspace/views/file-effects.ts';

/** The base of the session, its changes, and every call in it. */
export function renderSession({ identity, changes, calls, backups }: StoredSession): string {
  return [
    `run:     ${identity.run || 'not a Photon run'}`,
    `base:    ${identity.commit || 'unknown'}`,
    `changes: ${plural(changes.length, 'file')}, ${plural(backups.length, 'backup')}`,
    ...changes.map(c => `  ${changeKind(c).padEnd(8)} ${c.path}${formatSize(c)}`),
    `calls:   ${calls.length}`,
    ...calls.map((c, i) => {
      const paths = c.paths.length === 0 ? '' : ` (${c.paths.slice(0, 5).join(', ')})`;
      const code = c.code === undefined ? '' : ` ${c.code}`;
      return `  ${String(i + 1).padStart(3)} ${c.phase.padEnd(8)} ${c.tool}: ${c.decision}${c.severity === 'abort' ? ' (abort)' : ''}${code}${paths}`;
    }),
    '',
  ].join('\n');
}

function formatSize(change: FileChange): string {
  const { added, removed } = countLines(change);
  return `  +${added} -${removed}`;
}

/** A command that ran, who started it, and how it ended in words. */
export type ShownCommand = Omit<
  CommandRecord,
  'caller' | 'end' | 'exitCode' | 'signal' | 'limit' | 'outputBytes'
> & { readonly caller: string; readonly end: string };

/** Most of each that is shown; characters, except for commands, paths and lines. */
const most = { commands: 200, word: 120, data: 40, line: 400, paths: 5, lines: 10, output: 1000 };

/** A block for each command, the last 200. `--json` gives all of them. */
export function renderCommands(commands: readonly ShownCommand[]): string {
  if (commands.length === 0) return 'No command ran.\n';
  const earlier = commands.length - most.commands;
  const lead = earlier > 0 ? `${plural(earlier, 'earlier command')}: --json prints all.\n` : '';
  return `${lead}${commands.slice(-most.commands).map(renderCommand).join('')}`;
}

function renderCommand(command: ShownCommand): string {
  const { argv, caller, cwd, durationMs, end, files, network, startedAt } = command;
  const touched =
    files === 'unknown'
      ? ['    files: unknown']
      : (['written', 'changed', 'deleted'] as const).flatMap(name => namedFiles(name, files[name]));
  return [
    `${new Date(startedAt).toISOString()} ${caller}: ${end}, ${durationMs} ms${network ? ', with network' : ''}`,
    `    in ${cwd}: ${shownCommandLine(argv)}`,
    ...touched,
    ...outputLines(command),
    '',
  ].join('\n');
}

/** The command as somebody would type it, in one line of at most some 400 characters. */
export function shownCommandLine(argv: readonly string[]): string {
  const [shell, option, line = ''] = argv;
  const isLine = shell === 'sh' && option === '-c' && argv.length === 3;
  const text = isLine ? line.replace(/(?<!\s)\s*\n\s*/g, '; ') : argv.map(shownWord).join(' ');
  const short = text.replace(/data:[\w/.+-]+(?:;[\w=-]+)*,[^\s'"]*/g, withoutData);
  return cutText(short, most.line);
}

/** A program that is passed as text is no word that a person would know. */
function shownWord(word: string): string {
  if (word.includes('\n') || word.length > most.word) return `<text of ${word.length} characters>`;
  return /^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word);
}

function withoutData(address: string): string {
  if (address.length <= most.data) return address;
  const kind = address.slice(0, address.search(/[;,]/));
  return `<${kind}, ${address.length} characters>`;
}

function cutText(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

function namedFiles(name: string, { count, paths }: PathList): readonly string[] {
  if (count === 0) return [];
  const shown = paths.slice(0, most.paths);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return [`    ${name}: ${shown.join(', ')}${more}`];
}

function outputLines({ outputTail }: ShownCommand): readonly string[] {
  const text = outputTail.trim();
  if (text === '') return [];
  const end = text.split('\n').slice(-most.lines).join('\n').slice(-most.output);
  return [`    output: ${end.length < text.length ? '…' : ''}${end.replaceAll('\n', '\n      ')}`];
}
