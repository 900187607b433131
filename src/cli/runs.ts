/** `photon runs`: lists the runs that a checkout keeps, newest first. */
import { findTop } from '../process/programs.ts';
import { type ListedRun, renderRuns } from '../report/runs-text.ts';
import { keptRuns, shortId } from '../workspace/files/local-runs.ts';
import { runsFolder } from '../workspace/files/locate.ts';
import { parseArguments, repoOf, takeNone } from './arguments.ts';
import { readKeptRun, requireUntracked } from './kept-runs.ts';
import type { CommandHandler } from './terminal.ts';

export const runs: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo'], ['json']);
  takeNone(positionals);
  const checkout = findTop(repoOf(values));
  const ids = keptRuns(checkout).toReversed();
  if (ids.length > 0) await requireUntracked(checkout, runsFolder, terminal);
  const listed = ids.map((id): ListedRun => {
    const { outcome, folder } = readKeptRun(checkout, id);
    return { id, name: shortId(id), folder, outcome };
  });
  if (values.json === true)
    terminal.printData(
      `${JSON.stringify(
        listed.map(({ id, name, folder, outcome }) => ({
          id,
          name,
          folder,
          status: outcome?.status ?? null,
          code: outcome?.code ?? null,
          startedAt: outcome?.startedAt ?? null,
        })),
        null,
        2,
      )}\n`,
    );
  else terminal.print(renderRuns(listed));
  return 0;
};
