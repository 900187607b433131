/** `photon ask`: answers a question about a local repository and changes nothing. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { exportTelemetry } from '../export-telemetry.ts';
import type { Outcome } from '../outcome.ts';
import { runPhoton } from '../run/run.ts';
import { findTop } from '../process/programs.ts';
import { renderRun } from '../report/run-text.ts';
import { withOutFolder } from '../workspace/files/run-folder.ts';
import { parseArguments, repoOf } from './arguments.ts';
import { statusOfRun, worstStatus } from './exit-status.ts';
import { keepAndPlace } from './kept-runs.ts';
import { inputOptions, localInput, readInputs } from './local-run.ts';
import { openProgress } from './progress.ts';
import { settingsOption, tellSettingsSource } from './settings-source.ts';
import type { CommandHandler } from './terminal.ts';

const options = inputOptions(input => input.perTask !== true);

export const ask: CommandHandler = async (args, terminal) => {
  const names = ['repo', 'out', settingsOption, ...options.names];
  const { values, positionals } = parseArguments(args, names, ['quiet', ...options.flags]);
  const question = positionals.join(' ').trim();
  if (question === '') throw new PhotonError('TASK_MISSING', 'Give the question: photon ask TEXT.');
  const given = readInputs(options, values, terminal);
  const repo = repoOf(values);
  const out = values.out === undefined ? null : resolve(String(values.out));
  const settingsFiles = await tellSettingsSource({ repo, values, given, terminal });
  const quiet = values.quiet === true;
  const progress = openProgress(terminal, { quiet });
  const input = {
    ...localInput(terminal, repo),
    log: progress,
    inputs: given,
    settingsFiles,
  } as const;
  const event = { name: 'local', payload: null, taskInput: question, until: 'answer' } as const;
  return withOutFolder(out, async tempRoot => {
    const results = await runPhoton({ ...input, tempRoot, delivery: 'patch', event }).finally(() =>
      progress.close(),
    );
    await exportTelemetry(results, { env: terminal.env, log: progress });
    for (const result of results) {
      const { outcome } = result;
      const { place, note } = keepAndPlace(result, out === null ? findTop(repo) : null);
      const isAnswered = outcome.status === 'answered';
      if (isAnswered) terminal.print(`${outcome.answer}\n${missingPlaces(outcome)}`);
      const notes = note === null ? outcome.notes : [...outcome.notes, note];
      if (!quiet || !isAnswered) terminal.tell(renderRun({ ...outcome, notes }, place));
    }
    const failOnAbstain = given['fail-on-abstain'] === 'true';
    return worstStatus(results.map(r => statusOfRun(r.outcome, failOnAbstain)));
  });
};

/** A line for each place of the answer that does not exist. */
function missingPlaces({ places = [] }: Outcome): string {
  const missing = places.filter(p => !p.exists);
  return missing.map(p => `${p.text} is not in this commit.\n`).join('');
}
