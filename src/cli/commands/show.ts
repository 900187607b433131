/** `photon show`: how a kept run ended, its patch and its files; or its session. */
import { basename, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { renderRun } from '../../report/terminal/run-text.ts';
import { renderCommands, renderSession } from '../../report/terminal/session-text.ts';
import { shortId } from '../../workspace/files/local-runs.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { describeEnd } from '../../workspace/session/command-record.ts';
import { readStoredSession } from '../../workspace/session/session-store.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { type Arguments, command, flag, printJson, resolveRepo, shared } from '../command.ts';
import { openKeptRun } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  session: flag('Show what the run did instead: its changes, its calls and its commands'),
  patch: flag('Print the patch only'),
  json: flag('Print the outcome as JSON, and of a session all of the commands'),
};

export const show = command({
  options,
  usage: [
    ['[<run>] [flags]', 'A run by its id, or as last, which is the default', showNamed],
    ['--session [<session.db>] [flags]', 'A session file, which needs no repository', showNamed],
  ],
  examples: ['photon show', 'photon show fd33a856 --patch', 'photon show --session'],
});

function showNamed({ values, names }: Arguments<typeof options>, terminal: Terminal) {
  const named = names[0] ?? 'last';
  return values.session ? showSession(named, values, terminal) : showRun(named, values, terminal);
}

type Values = Arguments<typeof options>['values'];

async function showRun(named: string, values: Values, terminal: Terminal): Promise<number> {
  const { id, folder, files, outcome, checkout } = await openKeptRun(
    resolveRepo(values),
    named,
    terminal,
  );
  const read = (name: string) => {
    const path = files.find(f => basename(f) === name);
    return path === undefined ? '' : (readNamedFile(path) ?? '');
  };
  const diff = read('patch.diff');
  if (values.json) terminal.printData(read('outcome.json') || 'null\n');
  else if (values.patch) terminal.printData(diff);
  else if (outcome === undefined)
    terminal.print(`run ${id} has no readable outcome. Its files are in ${folder}.\n`);
  else {
    terminal.print(`run ${id} on ${outcome.base.commit.slice(0, 12)}\n`);
    const place = { files, name: shortId(id), from: resolve('.'), top: checkout, isShow: true };
    terminal.print(renderRun(outcome, place));
    if (outcome.status === 'answered') terminal.print(`\n${outcome.answer}\n`);
    if (diff !== '') terminal.printData(`\n${diff}`);
  }
  return outcome === undefined ? 1 : 0;
}

async function showSession(named: string, values: Values, terminal: Terminal): Promise<number> {
  const isFile = named.endsWith('.db');
  const stored = readStoredSession(isFile ? named : await findSession(named, values, terminal));
  const { run, agent } = stored.identity;
  const commands = stored.commands.map(c => ({ ...c, caller: `${run}/${agent}/${c.caller}` }));
  if (values.json) printJson(terminal, commands);
  else if (values.patch) terminal.printData(renderDiff(stored.changes));
  else {
    terminal.print(`${renderSession(stored)}commands:\n`);
    terminal.print(renderCommands(commands.map(c => ({ ...c, end: describeEnd(c) }))));
  }
  return 0;
}

/** The session file of a kept run. @throws PhotonError `SESSION_INVALID` for a run without one. */
async function findSession(named: string, values: Values, terminal: Terminal): Promise<string> {
  const { id, files } = await openKeptRun(resolveRepo(values), named, terminal);
  const found = files.find(file => basename(file) === 'session.db');
  if (found === undefined) throw new PhotonError('SESSION_INVALID', `Run ${id} keeps no session.`);
  return found;
}
