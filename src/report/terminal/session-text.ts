/** Renders the session of a run for the terminal: what it changed, its calls and its commands. Pure. */
import { cutEnd, plural } from '../../base/plural.ts';
import { changeKind, type FileChange } from '../../workspace/files/change.ts';
import type { CommandRecord } from '../../workspace/session/command-record.ts';
import type { StoredSession } from '../../workspace/session/session-store.ts';
import { countLines } from '../../workspace/text/diff.ts';

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
      const abort = c.severity === 'abort' ? ' (abort)' : '';
      const end = c.decision === 'pass' ? (c.code ?? 'pass') : `${c.decision}${abort} ${c.code}`;
      return `  ${String(i + 1).padStart(3)} ${c.phase.padEnd(8)} ${c.tool}: ${end}${paths}`;
    }),
    '',
  ].join('\n');
}

function formatSize(change: FileChange): string {
  const { added, removed } = countLines(change);
  return `  +${added} -${removed}`;
}

/** A command that ran, who started it, and how it ended in words. */
export type ShownCommand = Pick<
  CommandRecord,
  'argv' | 'cwd' | 'network' | 'startedAt' | 'durationMs'
> & { readonly caller: string; readonly end: string };

/** The last commands, two lines for each. `--json` gives all of them, with their output and the files that they changed. */
export function renderCommands(commands: readonly ShownCommand[]): string {
  if (commands.length === 0) return 'No command ran.\n';
  const earlier = commands.length - maxCommands;
  const lead = earlier > 0 ? `${plural(earlier, 'earlier command')}: --json prints all.\n` : '';
  const shown = commands.slice(-maxCommands).map(
    ({ argv, caller, cwd, durationMs, end, network, startedAt }) =>
      `${new Date(startedAt).toISOString()} ${caller}: ${end}, ${durationMs} ms${network ? ', with network' : ''}
    in ${cwd}: ${shownCommandLine(argv)}
`,
  );
  return `${lead}${shown.join('')}`;
}

const maxCommands = 200;

/** The command as somebody would type it, in one line of at most 400 characters. */
export function shownCommandLine(argv: readonly string[]): string {
  const [shell, option, line = ''] = argv;
  const isLine = shell === 'sh' && option === '-c' && argv.length === 3;
  const words = argv.map(word => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word)));
  return cutEnd(isLine ? line.replace(/(?<!\s)\s*\n\s*/g, '; ') : words.join(' '), 400);
}
