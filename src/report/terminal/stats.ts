/** Sums up many runs: how they ended, what became of their pull requests, and what each merged one cost. Pure. */

import {
  countFates,
  type PullCounts,
  type PullFate,
  pullsLine,
} from '../../base/dashboard-state.ts';
import { isDelivered, type Status } from '../../base/outcome.ts';
import { median, plural, sum } from '../../base/plural.ts';

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
    byStatus: countBy(runs.map(run => run.status)),
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

function countBy(statuses: readonly Status[]): Readonly<Partial<Record<Status, number>>> {
  const counts: Partial<Record<Status, number>> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
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
