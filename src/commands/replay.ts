/** `photon replay`: runs a recorded task again with its replies, and tells the first difference. */
import { dirname, join, resolve } from 'node:path';
import { compareRuns } from '../agent/compare-runs.ts';
import { parseRecord, replayedModel } from '../agent/record.ts';
import { PhotonError } from '../codes.ts';
import { renderReplay } from '../report/replay-text.ts';
import { runPhoton } from '../run.ts';
import { readNamedFile } from '../session/read-named.ts';
import { makeOutFolder } from '../session/run-folder.ts';
import { parseArguments } from './arguments.ts';
import { localInput } from './local-run.ts';
import type { Command } from './terminal.ts';

export const replay: Command = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo', 'out']);
  const [file] = positionals;
  const ledger = file === undefined ? null : readNamedFile(join(dirname(file), 'ledger.jsonl'));
  const text = file === undefined ? null : readNamedFile(file);
  if (file === undefined || text === null || ledger === null)
    throw new PhotonError(
      'USAGE',
      'photon replay FILE: a replies.jsonl with its ledger.jsonl beside it.',
    );
  const record = parseRecord(text);
  const [only] = await runPhoton({
    ...localInput(terminal, resolve(String(values.repo ?? '.'))),
    inputs: { ...record.inputs, record: 'false' },
    tempRoot: makeOutFolder(values.out === undefined ? null : resolve(String(values.out))),
    delivery: 'patch',
    event: { name: 'local', payload: null, taskInput: record.task.prompt },
    replay: { task: record.task, model: replayedModel(record.turns) },
  });
  const again = only === undefined ? '' : (readNamedFile(only.files.ledgerPath) ?? '');
  const difference = compareRuns(ledger, again);
  terminal.print(renderReplay(record, difference));
  return difference === null ? 0 : 1;
};
