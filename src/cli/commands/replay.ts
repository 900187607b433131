/** `photon replay`: runs a recorded task again with its replies, and shows the first difference. */
import { dirname, join } from 'node:path';
import { loadSettings } from '../../agent/context/policy.ts';
import {
  compareRuns,
  listCommands,
  parseRecord,
  type RunDifference,
  type RunRecord,
  replayedModel,
  replayInputs,
  replayWalls,
} from '../../audit/record.ts';
import { PhotonError } from '../../base/codes.ts';
import { detectAll } from '../../ecosystems/commands/detect.ts';
import { loadProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { readEntry } from '../../ledger/ledger-entry.ts';
import { findTop } from '../../process/programs.ts';
import { runPhoton } from '../../run/run.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { withOutFolder } from '../../workspace/files/run-folder.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { resolveCheckout } from '../checkout.ts';
import { type Arguments, command, flag, resolveOut, shared } from '../command.ts';
import { findRunPath } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

const usage =
  'Use photon replay FILE: a replies.jsonl that has its ledger.jsonl next to it. photon run --record true writes one.';

/** @throws PhotonError `FILE_UNREADABLE`, also if there is no such file. */
function readRequired(path: string): string {
  const text = readNamedFile(path);
  if (text !== undefined) return text;
  throw new PhotonError('FILE_UNREADABLE', `There is no file ${path}.`, { hint: usage });
}

const options = {
  repo: shared.repo,
  out: shared.out,
  'allow-commands': flag("Allow recorded commands that are not the repository's own"),
};

export const replay = command({
  options,
  usage: [
    ['<replies.jsonl|run> [flags]', 'A file, or a kept run by its id or as last', replayFile],
  ],
  examples: ['photon replay replies.jsonl --repo ../shop'],
});

async function replayFile(
  { values, names: [named = ''] }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
  const file = await findRunPath(named, terminal, { ...values, file: 'replies.jsonl' });
  const text = readRequired(file);
  const ledger = readRequired(join(dirname(file), 'ledger.jsonl'));
  const [first = ''] = ledger.split('\n');
  const start = readEntry(first, 1);
  if ('message' in start && start.code === 'LEDGER_VERSION')
    throw new PhotonError(start.code, `${start.message}.`);
  const record = parseRecord(text);
  const repo = await resolveCheckout(values, terminal);
  if (!values['allow-commands']) await requireOwnCommands(record, repo);
  const progress = openProgress(terminal, { quiet: false });
  const [result] = await withOutFolder(resolveOut(values), tempRoot =>
    runPhoton({
      ...localInput(terminal, repo),
      log: progress,
      ownConfig: undefined,
      inputs: replayInputs(record),
      tempRoot,
      delivery: 'patch',
      event: { name: 'local', payload: null, taskInput: record.task.prompt },
      replay: { task: record.task, model: replayedModel(record.turns) },
    }),
  ).finally(() => progress.close());
  const again = result === undefined ? '' : (readNamedFile(result.files.ledgerPath) ?? '');
  const difference = compareRuns(ledger, again);
  terminal.print(renderReplay(record, difference));
  return difference === undefined ? 0 : 1;
}

/** @throws PhotonError `REPLAY_COMMANDS` for a recording with commands that the repository itself would not run. */
async function requireOwnCommands(record: RunRecord, repo: string): Promise<void> {
  const own = await ownCommands(record, repo);
  const foreign = listCommands(record).filter(line => !own.has(line));
  if (foreign.length === 0) return;
  const shown = foreign.map(line => `  ${JSON.stringify(line)}`).join('\n');
  throw new PhotonError('REPLAY_COMMANDS', `The recording would run:\n${shown}`);
}

/** Commands of the repository itself: those of its configuration, and those that Photon detects. */
async function ownCommands({ inputs }: RunRecord, repo: string): Promise<ReadonlySet<string>> {
  const files = openFolderFiles(findTop(repo));
  const settings = await loadSettings({ config: inputs.config ?? '', ...replayWalls }, files);
  const { chosen, passedOver } = await detectAll(await loadProjectFiles(files));
  const detected = [chosen, ...passedOver].flatMap(d =>
    d === undefined ? [] : [d.command, d.setup],
  );
  return new Set([settings.testCommand, settings.setupCommand, ...detected]);
}

function renderReplay({ run, turns }: RunRecord, difference: RunDifference | undefined): string {
  const about = `run ${run}, ${turns.length} replies: `;
  if (difference === undefined)
    return `${about}the same decisions, the same patch, the same ending\n`;
  const { call, what, recorded, replayed } = difference;
  const where = call === 0 ? 'its starting point' : `call ${call}`;
  return `${about}differs in ${where}: ${what} was ${recorded || 'empty'}, is ${replayed || 'empty'}\n`;
}
