/** `photon stats`: sums over the outcomes of many runs, and what became of their pull requests. */
import { basename, join } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import {
  countFates,
  type PullCounts,
  type PullFate,
  pullsLine,
} from '../../base/dashboard-state.ts';
import { currentStatus, isDelivered, type Status, statuses } from '../../base/outcome.ts';
import { median, plural, sum } from '../../base/plural.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { readPullFates } from '../../hosts/github/delivery/own-pulls.ts';
import { findTop } from '../../process/programs.ts';
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
  const runs = texts
    .map(text => countedSchema.safeParse(parseJson(text)).data)
    .filter(run => run !== undefined);
  return { runs, unreadable: texts.length - runs.length };
}

export interface CountedRun {
  readonly status: Status;
  readonly repository: string;
  readonly model: string;
  readonly skills: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
  readonly rounds: number;
  /** Undefined when the model has no price. */
  readonly cost?: number | undefined;
  readonly pull?: number | undefined;
}

interface RunSums {
  readonly runs: number;
  readonly delivered: number;
  /** Merged pull requests that were not reverted; null if GitHub was not asked. */
  readonly merged: number | null;
  /** Sum of the known costs; null if no run has one. */
  readonly cost: number | null;
  /** Cost of all runs for each pull request that stayed merged; null if it cannot be told. */
  readonly costPerMerged: number | null;
}

interface RunStats extends RunSums {
  readonly byStatus: Readonly<Partial<Record<Status, number>>>;
  readonly medianSeconds: number | null;
  readonly medianRounds: number | null;
  /** Pull requests by what became of them; null if GitHub was not asked. */
  readonly pulls: PullCounts | null;
  readonly byModel: Readonly<Record<string, RunSums>>;
  readonly bySkill: Readonly<Record<string, RunSums>>;
}

/** Sums of the runs. `pulls` are those of their repository, by number; undefined if nobody asked GitHub. */
export function sumRuns(
  runs: readonly CountedRun[],
  pulls: ReadonlyMap<number, PullFate> | undefined,
): RunStats {
  return {
    ...addUpRuns(runs, pulls),
    byStatus: Object.fromEntries(
      [...Map.groupBy(runs, run => run.status)].map(([status, ended]) => [status, ended.length]),
    ),
    medianSeconds: median(runs.map(run => run.durationMs / 1000)) ?? null,
    medianRounds: median(runs.map(run => run.rounds)) ?? null,
    pulls: pulls === undefined ? null : countFates(pulls),
    byModel: groupSums(runs, pulls, run => [run.model || 'none']),
    bySkill: groupSums(runs, pulls, run => (run.skills.length === 0 ? ['none'] : run.skills)),
  };
}

function addUpRuns(
  runs: readonly CountedRun[],
  pulls: ReadonlyMap<number, PullFate> | undefined,
): RunSums {
  const costs = runs.flatMap(run => run.cost ?? []);
  const cost = costs.length === 0 ? undefined : sum(costs);
  // several runs can work on one pull request
  const numbers = new Set(runs.flatMap(run => run.pull ?? []));
  const merged =
    pulls === undefined
      ? undefined
      : [...numbers].filter(number => pulls.get(number) === 'merged').length;
  return {
    runs: runs.length,
    delivered: runs.filter(run => isDelivered(run.status)).length,
    merged: merged ?? null,
    cost: cost ?? null,
    costPerMerged:
      cost === undefined || merged === undefined || merged === 0 ? null : cost / merged,
  };
}

function groupSums(
  runs: readonly CountedRun[],
  pulls: ReadonlyMap<number, PullFate> | undefined,
  namesOf: (run: CountedRun) => readonly string[],
): Readonly<Record<string, RunSums>> {
  const names = [...new Set(runs.flatMap(namesOf))].sort();
  return Object.fromEntries(
    names.map(name => [
      name,
      addUpRuns(
        runs.filter(run => namesOf(run).includes(name)),
        pulls,
      ),
    ]),
  );
}

export function renderStats(stats: RunStats): string {
  const { pulls, byStatus, medianSeconds, medianRounds } = stats;
  const ended = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  const time =
    medianSeconds === null ? [] : [`median ${medianSeconds.toFixed(0)} s, ${medianRounds} rounds`];
  return [
    [plural(stats.runs, 'run'), ended.join(', '), ...time].filter(Boolean).join(' · '),
    `cost: ${money(stats.cost)}, for each merged pull request: ${money(stats.costPerMerged)}`,
    pulls === null
      ? 'pull requests: not asked. Name the repository with --on OWNER/NAME, and set GITHUB_TOKEN.'
      : `pull requests: ${pullsLine(pulls)}`,
    '',
    ...table('model', stats.byModel),
    '',
    ...table('skill', stats.bySkill),
    '',
  ].join('\n');
}

const money = (cost: number | null) => (cost === null ? 'unknown' : cost.toFixed(4));

function table(title: string, groups: Readonly<Record<string, RunSums>>): readonly string[] {
  const rows = Object.entries(groups).map(([name, sums]) => [
    name,
    String(sums.runs),
    String(sums.delivered),
    sums.merged === null ? '-' : String(sums.merged),
    money(sums.cost),
    money(sums.costPerMerged),
  ]);
  const all = [[title, 'runs', 'delivered', 'merged', 'cost', 'cost per merged'], ...rows];
  const widths = all[0]?.map((_, i) => Math.max(...all.map(row => row[i]?.length ?? 0))) ?? [];
  return all.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
