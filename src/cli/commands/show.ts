/** `photon show`: how a kept run ended, its patch and its files. */
import { basename, resolve } from 'node:path';
import { renderRun } from '../../report/terminal/run-text.ts';
import { shortId } from '../../workspace/files/local-runs.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { parseArguments, repoOf, takeNone } from '../arguments.ts';
import { openKeptRun } from '../kept-runs.ts';
import type { CommandHandler } from '../terminal.ts';

export const showRun: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo'], ['json', 'patch']);
  const [named = 'last', ...more] = positionals;
  takeNone(more, 'Name one run: photon show RUN.');
  const { id, folder, files, outcome } = await openKeptRun(repoOf(values), named, terminal);
  const read = (name: string) => {
    const path = files.find(f => basename(f) === name);
    return path === undefined ? '' : (readNamedFile(path) ?? '');
  };
  const diff = read('patch.diff');
  if (values.json === true) terminal.printData(read('outcome.json') || 'null\n');
  else if (values.patch === true) terminal.printData(diff);
  else if (outcome === null)
    terminal.print(`run ${id} has no readable outcome. Its files are in ${folder}.\n`);
  else {
    terminal.print(`run ${id} on ${outcome.base.commit.slice(0, 12)}\n`);
    terminal.print(renderRun(outcome, { files, name: shortId(id), from: resolve('.') }));
    if (outcome.status === 'answered') terminal.print(`\n${outcome.answer}\n`);
    if (diff !== '') terminal.printData(`\n${diff}`);
  }
  return outcome === null ? 1 : 0;
};
