/** `photon stats`: sums over the outcomes of many runs, and what became of their pull requests. */
import { basename, join } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../codes.ts';
import type { PullFate } from '../dashboard-state.ts';
import { readPullFates } from '../hosts/github/delivery/own-pulls.ts';
import { currentStatus, statuses } from '../outcome.ts';
import { plural } from '../plural.ts';
import { findTop } from '../process/programs.ts';
import { type CountedRun, renderStats, sumRuns } from '../report/stats.ts';
import { runsFolder } from '../workspace/files/locate.ts';
import { readNamedFile, readOutcomeFiles } from '../workspace/files/read-foreign.ts';
import { parseArguments, repoOf } from './arguments.ts';
import { requireUntracked } from './kept-runs.ts';
import type { CommandHandler } from './terminal.ts';
import { openRepository } from './terminal-github.ts';

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

export const stats: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'on', 'since', 'branch-prefix'],
    ['json'],
  );
  const since = sinceOf(values.since);
  const remote = values.on === undefined ? null : await openRepository(values.on, terminal);
  const named = positionals.length > 0;
  const checkout = findTop(repoOf(values));
  if (!named) await requireUntracked(checkout, runsFolder, terminal);
  const { runs, unreadable } = readRuns(named ? positionals : [join(checkout, runsFolder)]);
  const wanted = runs.filter(run => run.startedAt >= since);
  let pulls: ReadonlyMap<number, PullFate> | null = null;
  let counted = wanted;
  if (remote !== null) {
    const { repository, github } = remote;
    const branchPrefix = String(values['branch-prefix'] ?? 'photon/');
    pulls = await readPullFates(github, repository, { branchPrefix, since });
    counted = wanted.filter(run => run.repository === repository);
  }
  const sums = sumRuns(counted, pulls);
  if (unreadable > 0)
    terminal.tell(
      `note: ${plural(unreadable, 'file')} named outcome.json cannot be read as one.\n`,
    );
  terminal.print(values.json === true ? `${JSON.stringify(sums, null, 2)}\n` : renderStats(sums));
  return 0;
};

/** A day or a time, as ISO 8601; empty without one. @throws PhotonError `USAGE`. */
function sinceOf(value: unknown): string {
  if (value === undefined) return '';
  const text = String(value);
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new PhotonError(
      'USAGE',
      `--since takes a day, such as 2026-01-31, not ${JSON.stringify(text)}.`,
    );
  return new Date(text).toISOString();
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
