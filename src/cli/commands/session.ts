/** `photon session`: shows the session of a run, or exports its patch. It needs no repository, except to commit. */

import { plural } from '../../base/plural.ts';
import { findPrograms, findTop } from '../../process/programs.ts';
import { renderCommands } from '../../report/terminal/commands-text.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { writeNewFile } from '../../workspace/files/run-folder.ts';
import { describeEnd } from '../../workspace/session/command-record.ts';
import { commitSession } from '../../workspace/session/commit-session.ts';
import { readStoredSession, type StoredSession } from '../../workspace/session/session-store.ts';
import { countLines, renderDiff } from '../../workspace/text/diff.ts';
import { type Arguments, noSuchVerb, parseArguments } from '../arguments.ts';
import { checkoutOf } from '../checkout.ts';
import type { CommandHandler, Terminal } from '../terminal.ts';

type Values = Arguments['values'];

/** Each returns the text that the user sees. */
const verbs: Readonly<
  Record<
    string,
    (stored: StoredSession, values: Values, terminal: Terminal) => string | Promise<string>
  >
> = {
  show: renderSession,
  diff: stored => renderDiff(stored.changes),
  export: exportPatch,
  commit,
  commands: listCommands,
};

export const session: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['out', 'repo', 'branch'], ['json']);
  const [verb = '', file, ...more] = positionals;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (work === undefined || file === undefined || more.length > 0)
    throw noSuchVerb(
      verb,
      Object.keys(verbs),
      'Use photon session show, diff, export, commit or commands FILE.',
    );
  const text = await work(readStoredSession(file), values, terminal);
  if (verb === 'diff' || values.json === true) terminal.printData(text);
  else terminal.print(text);
  return 0;
};

function exportPatch(stored: StoredSession, values: Values): string {
  const out = String(values.out ?? 'session.patch');
  writeNewFile(out, renderDiff(stored.changes));
  return `${out}: ${plural(stored.changes.length, 'file')}. Apply it with git apply on ${stored.identity.commit || 'its base'}.\n`;
}

async function commit(stored: StoredSession, values: Values, terminal: Terminal): Promise<string> {
  const cwd = await checkoutOf(values, terminal);
  const { env, now } = terminal;
  const place = { cwd, programs: findPrograms(env.PATH ?? '', [findTop(cwd)]) };
  const branch = String(values.branch ?? `photon/session-${stored.identity.run}`);
  const made = await commitSession(stored, place, { branch, now: now() });
  return `${branch}: commit ${made} on ${stored.identity.commit}\n`;
}

/** Every command that ran: who started it, how it ended, and which files it wrote. */
function listCommands({ identity, commands }: StoredSession, { json }: Values): string {
  const by = `${identity.run}/${identity.agent}`;
  if (json === true)
    return `${JSON.stringify(
      commands.map(c => ({ ...c, caller: `${by}/${c.caller}` })),
      null,
      2,
    )}\n`;
  return renderCommands(
    commands.map(command => ({
      ...command,
      caller: `${by}/${command.caller}`,
      end: describeEnd(command),
    })),
  );
}

/** The base of the session, its changes, and every call in it. */
function renderSession({ identity, changes, calls, backups }: StoredSession): string {
  return [
    `run:     ${identity.run || 'not a Photon run'}`,
    `base:    ${identity.commit || 'unknown'}`,
    `changes: ${plural(changes.length, 'file')}, ${plural(backups.length, 'backup')}`,
    ...changes.map(c => `  ${kindOf(c)} ${c.path}${sizeOf(c)}`),
    `calls:   ${calls.length}`,
    ...calls.map((c, i) => {
      const paths = c.paths.length === 0 ? '' : ` (${c.paths.slice(0, 5).join(', ')})`;
      const code = c.code === null ? '' : ` ${c.code}`;
      return `  ${String(i + 1).padStart(3)} ${c.phase.padEnd(8)} ${c.tool}: ${c.decision}${c.severity === 'abort' ? ' (abort)' : ''}${code}${paths}`;
    }),
    '',
  ].join('\n');
}

function kindOf({ before, after }: FileChange): string {
  if (before === null) return 'added   ';
  return after === null ? 'deleted ' : 'modified';
}

function sizeOf(change: FileChange): string {
  const { added, removed } = countLines(change);
  return `  +${added} -${removed}`;
}
