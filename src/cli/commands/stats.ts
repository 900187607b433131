/** `photon stats`: sums over the outcomes of many runs, and what became of their pull requests. */
import { basename, join } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import type { PullFate } from '../../base/dashboard-state.ts';
import { currentStatus, statuses } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { readPullFates } from '../../hosts/github/delivery/own-pulls.ts';
import { findTop } from '../../process/programs.ts';
import { type CountedRun, renderStats, sumRuns } from '../../report/terminal/stats.ts';
import { runsFolder } from '../../workspace/files/locate.ts';
import { readNamedFile, readOutcomeFiles } from '../../workspace/files/read-foreign.ts';
import {
  type Arguments,
  command,
  flag,
  readSince,
  resolveRepo,
  shared,
  value,
} from '../command.ts';
import { requireUntracked } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';
import { openRepository } from '../terminal-github.ts';

/** The part of an outcome that is counted. A file can come from anywhere. */
const countedSchema = z
  .object({
    schema: z.literal(1),
    status: z.enum(statuses),
    repository: z.string(),
    model: z.string(),
    startedAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    skills: z.array(z.object({ name: z.string() })),
    usage: z.object({ rounds: z.number().min(0), cost: z.number().min(0).optional() }),
    code: z.string(),
    delivered: z.object({
      kind: z.string().optional(),
      pullRequestNumber: z.int().min(1).optional(),
    }),
  })
  .transform(
    ({ skills, usage, code, delivered, ...run }): CountedRun => ({
      ...run,
      status: currentStatus({ status: run.status, code, delivered }),
      ...usage,
      skills: skills.map(skill => skill.name),
      pull: delivered.pullRequestNumber,
    }),
  );

const options = {
  repo: shared.repo,
  on: value('<owner/name>', 'Ask GitHub about the pull requests of this repository (GITHUB_TOKEN)'),
  since: shared.since,
  'branch-prefix': value('<text>', 'Beginning of the branches of Photon (default: photon/)'),
  json: flag('Print the sums as JSON'),
};

export const stats = command({
  about: 'Sum up many runs: endings, what became of pull requests, and cost.',
  options,
  usage: [
    ['[<file or folder>...] [flags]', 'Default: the runs that the repository keeps', printStats],
  ],
  examples: ['photon stats', 'photon stats artifacts/ --on octo-org/shop --since 2026-01-01'],
});

async function printStats({ values, names }: Arguments<typeof options>, terminal: Terminal) {
  const since = readSince(values) ?? '';
  const remote = values.on === undefined ? undefined : await openRepository(values.on, terminal);
  const named = names.length > 0;
  const checkout = findTop(resolveRepo(values));
  if (!named) await requireUntracked(checkout, runsFolder, terminal);
  const { runs, unreadable } = readRuns(named ? names : [join(checkout, runsFolder)]);
  const wanted = runs.filter(run => run.startedAt >= since);
  let pulls: ReadonlyMap<number, PullFate> | undefined;
  let counted = wanted;
  if (remote !== undefined) {
    const { repository, github } = remote;
    const branchPrefix = values['branch-prefix'] ?? 'photon/';
    pulls = await readPullFates(github, { branchPrefix, since });
    counted = wanted.filter(run => run.repository === repository);
  }
  const sums = sumRuns(counted, pulls);
  if (unreadable > 0)
    terminal.tell(
      `note: ${plural(unreadable, 'file')} named outcome.json cannot be read as one.\n`,
    );
  terminal.print(values.json ? `${JSON.stringify(sums, null, 2)}\n` : renderStats(sums));
  return 0;
}

/** @throws PhotonError `OUTCOMES_MISSING`, `FILE_UNREADABLE`. */
function readRuns(places: readonly string[]) {
  const texts = places.flatMap(place =>
    basename(place) === 'outcome.json' ? [readNamedFile(place) ?? ''] : readOutcomeFiles(place),
  );
  if (texts.length === 0)
    throw new PhotonError('OUTCOMES_MISSING', `There is no outcome.json in ${places.join(', ')}.`, {
      hint: 'Name files or folders that hold them: photon stats FOLDER.',
    });
  const parsed = texts.map(text => {
    try {
      return countedSchema.safeParse(JSON.parse(text)).data ?? null;
    } catch {
      return null;
    }
  });
  const runs = parsed.filter(run => run !== null);
  return { runs, unreadable: parsed.length - runs.length };
}
