/** `photon run`: carries out one task on a local repository, and writes a patch file or the work tree. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { exitStatus } from '../outcome.ts';
import { runPhoton } from '../pipeline.ts';
import { renderRun } from '../report/run-text.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { parseArguments } from './arguments.ts';
import { inputOptions, localInput, readInputs } from './local-run.ts';
import type { CommandHandler } from './terminal.ts';

const runOptions = inputOptions(() => true);

export const run: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'out', ...runOptions.names],
    ['apply', 'watch-skills', ...runOptions.flags],
  );
  if (positionals.length > 0)
    throw new PhotonError(
      'USAGE',
      `Unexpected argument ${JSON.stringify(positionals[0])}. Give the task with --task.`,
    );
  const given = readInputs(runOptions, values, terminal);
  if (!given.task?.trim() && !given.sarif?.trim())
    throw new PhotonError(
      'TASK_MISSING',
      'Give the task: photon run --task TEXT, or --sarif FILE.',
    );
  const repo = resolve(String(values.repo ?? '.'));
  const results = await runPhoton({
    ...localInput(terminal, repo),
    inputs: given,
    tempRoot: makeOutFolder(values.out === undefined ? null : resolve(String(values.out))),
    watchSkills: values['watch-skills'] === true,
    delivery: values.apply === true ? 'apply' : 'patch',
    event: { name: 'local', payload: null, taskInput: given.task ?? '' },
  });
  for (const { outcome, diff, files } of results) {
    if (diff !== '') terminal.printData(diff);
    if (outcome.status === 'answered') terminal.print(`${outcome.answer}\n`);
    terminal.tell(renderRun(outcome, files));
  }
  return Math.max(
    ...results.map(r => exitStatus(r.outcome.status, given['fail-on-abstain'] === 'true')),
  );
};
