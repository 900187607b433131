/** `photon runs`: lists the runs that a checkout keeps, newest first. */

import { join } from 'node:path';
import { findTop } from '../process/programs.ts';
import { renderIndexPage } from '../report/index-page.ts';
import { type ListedRun, renderRuns } from '../report/runs-text.ts';
import { filesOfRun, keptRuns, shortId } from '../workspace/files/local-runs.ts';
import { runsFolder } from '../workspace/files/locate.ts';
import { replaceOwnFile } from '../workspace/files/replace-file.ts';
import { parseArguments, repoOf, takeNone } from './arguments.ts';
import { readKeptRun, requireUntracked } from './kept-runs.ts';
import type { CommandHandler } from './terminal.ts';

export const runs: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo'], ['json', 'html']);
  takeNone(positionals);
  const checkout = findTop(repoOf(values));
  await requireUntracked(checkout, runsFolder, terminal);
  const ids = keptRuns(checkout).toReversed();
  const listed = ids.map((id): ListedRun => {
    const { outcome, folder } = readKeptRun(checkout, id);
    return { id, name: shortId(id), folder, outcome };
  });
  if (values.html === true) {
    const place = `${runsFolder}/index.html`;
    replaceOwnFile(checkout, place, await renderIndex(checkout, listed));
    terminal.print(`The index of the reports is ${join(checkout, place)}.\n`);
  } else if (values.json === true)
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

/** The page that leads to the report of each run. */
async function renderIndex(checkout: string, listed: readonly ListedRun[]): Promise<string> {
  const page = 'report.html';
  const runs = listed.flatMap(({ id, outcome }) => {
    if (outcome === null) return [];
    const has = filesOfRun(checkout, id).some(file => file.name === page);
    return [{ outcome, href: has ? `${id}/${page}` : '' }];
  });
  return renderIndexPage('Photon: runs', runs);
}
