/** `photon ask`: answers a question about a local repository and changes nothing. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { exitStatus, type Outcome } from '../outcome.ts';
import { runPhoton } from '../pipeline.ts';
import { renderRun } from '../report/run-text.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { parseArguments } from './arguments.ts';
import { inputOptions, localInput, readInputs } from './local-run.ts';
import type { CommandHandler } from './terminal.ts';

const options = inputOptions(input => input.perTask !== true);

export const ask: CommandHandler = async (args, terminal) => {
  const names = ['repo', 'out', ...options.names];
  const { values, positionals } = parseArguments(args, names, options.flags);
  const question = positionals.join(' ').trim();
  if (question === '') throw new PhotonError('TASK_MISSING', 'Give the question: photon ask TEXT.');
  const given = readInputs(options, values, terminal);
  const results = await runPhoton({
    ...localInput(terminal, resolve(String(values.repo ?? '.'))),
    inputs: given,
    tempRoot: makeOutFolder(values.out === undefined ? null : resolve(String(values.out))),
    delivery: 'patch',
    event: { name: 'local', payload: null, taskInput: question, until: 'answer' },
  });
  for (const { outcome, files } of results) {
    if (outcome.status === 'answered')
      terminal.print(`${outcome.answer}\n${missingPlaces(outcome)}`);
    terminal.tell(renderRun(outcome, files));
  }
  const failOnAbstain = given['fail-on-abstain'] === 'true';
  return Math.max(...results.map(r => exitStatus(r.outcome.status, failOnAbstain)));
};

/** A line for each place of the answer that does not exist. */
function missingPlaces({ places = [] }: Outcome): string {
  const missing = places.filter(p => !p.exists);
  return missing.map(p => `${p.text} is not in this commit.\n`).join('');
}
