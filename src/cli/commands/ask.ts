/** `photon ask`: answers a question about a local repository and changes nothing. */
import type { Outcome } from '../../base/outcome.ts';
import { exportTelemetry } from '../../export-telemetry.ts';
import { findTop } from '../../process/programs.ts';
import { renderRun } from '../../report/terminal/run-text.ts';
import { runPhoton } from '../../run/run.ts';
import { withOutFolder } from '../../workspace/files/run-folder.ts';
import {
  type Arguments,
  command,
  outOption,
  quietOption,
  repoOption,
  resolveOut,
  resolveRepo,
  settingsOption,
} from '../command.ts';
import { statusOfRun, worstStatus } from '../exit-status.ts';
import { keepAndPlace } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import { tellSettingsSource } from '../settings-source.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: repoOption,
  out: outOption,
  quiet: quietOption,
  'config-from': settingsOption,
};

export const ask = command({
  about: 'Answer a question about the code of a local git repository. Nothing is changed.',
  options,
  settings: input => !input.perTask,
  usage: [['<text>... [flags]', '', answer]],
  codeOfMissing: 'TASK_MISSING',
  examples: ['photon ask "Where is the discount of an order computed?"'],
});

async function answer(
  { values, names, inputs }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
  const question = names.join(' ').trim();
  const repo = resolveRepo(values);
  const out = resolveOut(values);
  const settingsFiles = await tellSettingsSource({ repo, values, given: inputs, terminal });
  const { quiet = false } = values;
  const progress = openProgress(terminal, { quiet });
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

/** A line for each place of the answer that does not exist. */
function missingPlaces({ places = [] }: Outcome): string {
  const missing = places.filter(p => !p.exists);
  return missing.map(p => `${p.text} is not in this commit.\n`).join('');
}
