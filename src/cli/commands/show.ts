/** `photon show`: how a kept run ended, its patch and its files. */
import { basename, resolve } from 'node:path';
import { renderRun } from '../../report/terminal/run-text.ts';
import { shortId } from '../../workspace/files/local-runs.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { type Arguments, command, flag, resolveRepo, shared } from '../command.ts';
import { openKeptRun } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  patch: flag('Print the patch only'),
  json: flag('Print the outcome as JSON'),
};

export const show = command({
  about: 'Show how a run ended, its patch and its files.',
  options,
  usage: [['[<run>] [flags]', 'A run by its id, or as last, which is the default', showRun]],
  examples: ['photon show', 'photon show fd33a856 --patch'],
});

async function showRun(
  { values, names: [named = 'last'] }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
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
