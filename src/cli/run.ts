/** `photon run`: one task on a local repository; a patch file or the work tree instead of GitHub. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { exitStatus } from '../outcome.ts';
import { runPhoton } from '../pipeline.ts';
import { renderRun } from '../report/run-text.ts';
import { onGitHubOnly } from '../report/usage.ts';
import { type InputName, inputs } from '../settings/settings.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { parseArguments } from './arguments.ts';
import { localInput, readInputs } from './local-run.ts';
import type { CommandHandler } from './terminal.ts';

const names = (Object.keys(inputs) as InputName[]).filter(n => !onGitHubOnly.has(n));

export const run: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'out', ...names.filter(n => n !== 'dry-run')],
    ['apply', 'dry-run', 'watch-skills'],
  );
  if (positionals.length > 0)
    throw new PhotonError(
      'USAGE',
      `What is ${JSON.stringify(positionals[0])}? The task goes behind --task.`,
    );
  const given = readInputs(names, values, terminal);
  if (!given.task?.trim())
    throw new PhotonError('TASK_MISSING', 'Give the task: photon run --repo DIR --task TEXT.');
  const repo = resolve(String(values.repo ?? '.'));
  const results = await runPhoton({
    ...localInput(terminal, repo),
    inputs: given,
    tempRoot: makeOutFolder(values.out === undefined ? null : resolve(String(values.out))),
    watchSkills: values['watch-skills'] === true,
    delivery: values.apply === true ? 'apply' : 'patch',
    event: { name: 'local', payload: null, taskInput: given.task },
  });
  for (const { outcome, diff, files } of results) {
    if (diff !== '') terminal.printData(diff);
    terminal.tell(renderRun(outcome, files));
  }
  return Math.max(
    ...results.map(r => exitStatus(r.outcome.status, given['fail-on-abstain'] === 'true')),
  );
};
