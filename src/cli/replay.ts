/** `photon replay`: runs a recorded task again with its replies, and tells the first difference. */
import { dirname, join, resolve } from 'node:path';
import { loadSettings } from '../agent/context/policy.ts';
import {
  parseRecord,
  type RunRecord,
  replayedModel,
  replayInputs,
  replayWalls,
} from '../agent/run/record.ts';
import { compareRuns } from '../audit/compare-runs.ts';
import { commandsOf } from '../audit/record-commands.ts';
import { PhotonError } from '../codes.ts';
import { runPhoton } from '../pipeline.ts';
import { findTop } from '../process/programs.ts';
import { renderReplay } from '../report/replay-text.ts';
import {
  detectSetupCommand,
  detectTestCommand,
  projectFilesOf,
} from '../testing/commands/detect.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { parseArguments } from './arguments.ts';
import { localInput } from './local-run.ts';
import type { CommandHandler, Terminal } from './terminal.ts';

export const replay: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo', 'out'], ['allow-commands']);
  const [file] = positionals;
  const ledger = file === undefined ? null : readNamedFile(join(dirname(file), 'ledger.jsonl'));
  const text = file === undefined ? null : readNamedFile(file);
  if (file === undefined || text === null || ledger === null)
    throw new PhotonError(
      'USAGE',
      'photon replay FILE: a replies.jsonl with its ledger.jsonl beside it.',
    );
  const record = parseRecord(text);
  const repo = resolve(String(values.repo ?? '.'));
  if (values['allow-commands'] !== true) await allowCommands(record, repo, terminal);
  const [only] = await runPhoton({
    ...localInput(terminal, repo),
    ownConfig: null,
    inputs: replayInputs(record),
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

/**
 * Asks before anything runs that the repository itself would not run.
 * @throws PhotonError `REPLAY_COMMANDS` when the answer is no, and where nobody can be asked.
 */
async function allowCommands(record: RunRecord, repo: string, terminal: Terminal): Promise<void> {
  const own = await ownCommands(record, repo);
  const foreign = commandsOf(record).filter(line => !own.has(line));
  if (foreign.length === 0) return;
  const shown = foreign.map(line => `  ${JSON.stringify(line)}`).join('\n');
  if (terminal.ask === null)
    throw new PhotonError('REPLAY_COMMANDS', `The record would run:\n${shown}`);
  terminal.tell(
    `The record runs commands that are not the repository's own, in the sandbox:\n${shown}\n`,
  );
  const answer = await terminal.ask('Run them? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw new PhotonError('REPLAY_COMMANDS');
}

/** What the repository itself would run: the commands of its configuration, and those that are detected. */
async function ownCommands({ inputs }: RunRecord, repo: string): Promise<ReadonlySet<string>> {
  const files = openFolderFiles(findTop(repo));
  const settings = await loadSettings({ config: inputs.config ?? '', ...replayWalls }, files);
  const project = await projectFilesOf(files);
  const detected = await detectTestCommand(project);
  const lines = [settings.testCommand, settings.setupCommand, detected?.command ?? ''];
  return new Set([...lines, detectSetupCommand(project)]);
}
