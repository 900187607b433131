/** `photon ask`: answers a question about a local repository and changes nothing. */
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import type { Outcome } from '../../base/outcome.ts';
import { exportTelemetry } from '../../export-telemetry.ts';
import { findTop } from '../../process/programs.ts';
import { renderRun, runAccount } from '../../report/terminal/run-text.ts';
import { runPhoton } from '../../run/run.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { withOutFolder } from '../../workspace/files/run-folder.ts';
import { type Arguments, command, resolveOut, resolveRepo, shared, value } from '../command.ts';
import { statusOfRun, worstStatus } from '../exit-status.ts';
import { keepAndPlace, openKeptRun } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import { withSettingsSource } from '../settings-source.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  run: value('<run>', 'The kept run that the question is about, by its id or as last'),
  out: shared.out,
  quiet: shared.quiet,
  verbose: shared.verbose,
  'config-from': shared.configFrom,
};

export const ask = command({
  options,
  settings: input => !input.perTask,
  usage: [['<text>... [flags]', '', answer]],
  codeOfMissing: 'TASK_MISSING',
  examples: [
    'photon ask "Where is the discount of an order computed?"',
    'photon ask --run last "Why was the second edit refused?"',
  ],
});

async function answer({ values, names, inputs }: Arguments<typeof options>, terminal: Terminal) {
  const question = names.join(' ').trim();
  const repo = resolveRepo(values);
  const account =
    values.run === undefined ? undefined : await readAccount(repo, values.run, terminal);
  const out = resolveOut(values);
  const request = { repo, values, given: inputs, terminal };
  const { settingsFiles, note, engine } = await withSettingsSource(request, async source => {
    return { ...source, engine: (await source.readSettings()).engine };
  });
  if (account !== undefined && engine === 'builtin') {
    terminal.print(account);
    terminal.tell('note: no model is set, so this is what the ledger says.\n');
    return 0;
  }
  terminal.tell(note);
  if (engine === 'builtin')
    throw new PhotonError('MODEL_MISSING', 'A question needs a model, and none is set.');
  const { quiet = false } = values;
  const progress = openProgress(terminal, { quiet, verbose: values.verbose });
  const input = {
    ...localInput(terminal, repo),
    log: progress,
    inputs,
    settingsFiles,
  } as const;
  const event = {
    name: 'local',
    payload: undefined,
    taskInput: question,
    until: 'answer',
    earlier:
      account === undefined ? account : ({ label: 'earlier_run_label', text: account } as const),
  } as const;
  return withOutFolder(out, async tempRoot => {
    const results = await runPhoton({ ...input, tempRoot, delivery: 'patch', event }).finally(() =>
      progress.close(),
    );
    await exportTelemetry(results, { env: terminal.env, log: progress });
    for (const result of results) {
      const { outcome, place } = keepAndPlace(result, findTop(repo), out);
      const isAnswered = outcome.status === 'answered';
      if (isAnswered) terminal.print(`${outcome.answer}\n${missingPlaces(outcome)}`);
      if (!quiet || !isAnswered) terminal.tell(renderRun(outcome, place));
    }
    const failOnAbstain = inputs['fail-on-abstain'] === 'true';
    return worstStatus(results.map(r => statusOfRun(r.outcome, failOnAbstain)));
  });
}

/** What a kept run did. @throws PhotonError `RUN_UNKNOWN`. */
async function readAccount(repo: string, named: string, terminal: Terminal): Promise<string> {
  const { id, folder, outcome } = await openKeptRun(repo, named, terminal);
  if (outcome === undefined)
    throw new PhotonError('RUN_UNKNOWN', `Run ${id} has no readable outcome.`);
  return runAccount(outcome, readNamedFile(join(folder, 'ledger.jsonl')) ?? '');
}

/** A line for each place of the answer that does not exist. */
function missingPlaces({ places = [] }: Outcome): string {
  const missing = places.filter(p => !p.exists);
  return missing
    .map(
      p => `${p.text} is no place of this commit: there is no such file, or it has fewer lines.\n`,
    )
    .join('');
}
