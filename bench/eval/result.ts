/** How the tasks of an evaluation ended: the figures of it with intervals, a comparison, and both as text. Pure. */
import { plural, seconds, sum } from '../../src/base/plural.ts';
import { median } from '../figures.ts';

/**
 * `solved`: the hidden tests pass, and nothing fails that passed. `wrong`: a patch was delivered with which they do not.
 * `abstained`: the run gave up, asked, or changed nothing. `failed`: every other ending.
 */
export const verdicts = ['solved', 'wrong', 'abstained', 'failed'] as const;
export type Verdict = (typeof verdicts)[number];

/** How one task ended. */
export interface TaskResult {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly code: string;
  readonly note: string;
  /** In the currency of the prices; null if the model has no price. */
  readonly cost: number | null;
  readonly durationMs: number;
  readonly rounds: number;
  /** How often each rule refused a call. */
  readonly refusals: Readonly<Record<string, number>>;
  /** False if commands could read files outside of the task, such as the repository that holds the fix. */
  readonly confined: boolean;
  /** The patch that was delivered; empty if there is none. */
  readonly patch: string;
}

/** An evaluation of one configuration. */
export interface Evaluation {
  /** What was measured, for people. */
  readonly configuration: string;
  /** Numbers of commits that were looked at, and of tasks among them. */
  readonly looked: number;
  readonly found: number;
  readonly results: readonly TaskResult[];
}

/** The quantile of the normal distribution for 95 %. */
const quantile = 1.959963984540054;

/** Wilson's 95 % interval of `count` among `total`; everything is possible if there is none. */
export function findInterval(count: number, total: number) {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = count / total;
  const weight = 1 + quantile ** 2 / total;
  const centre = (share + quantile ** 2 / (2 * total)) / weight;
  const spread = (share * (1 - share)) / total + quantile ** 2 / (4 * total ** 2);
  const half = (quantile / weight) * Math.sqrt(spread);
  // at the ends the two terms are equal, and rounding must not leave the range
  const low = count === 0 ? 0 : Math.max(0, centre - half);
  const high = count === total ? 1 : Math.min(1, centre + half);
  return { share, low, high };
}

/** Compares an evaluation with another one on the tasks that both played. */
export function compareEvaluations(first: Evaluation, second: Evaluation) {
  const others = new Map(second.results.map(r => [r.id, r.verdict]));
  const both = first.results.filter(r => others.has(r.id));
  const list = (one: boolean, two: boolean) =>
    both
      .filter(r => (r.verdict === 'solved') === one && (others.get(r.id) === 'solved') === two)
      .map(r => r.id);
  return {
    tasks: both.length,
    bothSolved: list(true, true),
    onlyFirst: list(true, false),
    onlySecond: list(false, true),
    neither: list(false, false),
  };
}

/** One line about a task. */
export function describeResult({ id, title, verdict, code, note }: TaskResult): string {
  const why = verdict === 'solved' ? '' : `  ${code}${note === '' ? '' : `: ${note}`}`;
  return `${id.slice(0, 12)}  ${verdict.padEnd(9)}  ${title.slice(0, 60)}${why.replace(/\s+/g, ' ')}`;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** The report of an evaluation. */
export function renderEvaluation({ configuration, looked, found, results }: Evaluation): string {
  const costs = results.flatMap(r => (r.cost === null ? [] : [r.cost]));
  const rules = Map.groupBy(
    results.flatMap(r => Object.entries(r.refusals)),
    ([rule]) => rule,
  );
  const refusals = [...rules].map(([rule, counts]) => `${rule} ${sum(counts.map(([, n]) => n))}`);
  const open = results.filter(r => !r.confined).length;
  const lines = [
    configuration,
    `${plural(results.length, 'task')} played, ${found} found of ${plural(looked, 'commit')}`,
    ...results.map(describeResult),
    ...verdicts.map(verdict => {
      const count = results.filter(r => r.verdict === verdict).length;
      const { share, low, high } = findInterval(count, results.length);
      return `${verdict.padEnd(9)} ${count}  ${percent(share)}  (95 %: ${percent(low)} to ${percent(high)})`;
    }),
    `cost      ${costs.length < results.length ? 'not known: a model has no price' : sum(costs).toPrecision(3)}`,
    `median    ${seconds(median(results.map(r => r.durationMs)))} and ${median(results.map(r => r.rounds))} rounds`,
    `refusals  ${refusals.join(', ') || 'none'}`,
    ...(open > 0 ? [`warning   in ${plural(open, 'task')}, commands could have read the fix`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The comparison of two evaluations. */
export function renderComparison(first: Evaluation, second: Evaluation): string {
  const compared = compareEvaluations(first, second);
  const named = (ids: readonly string[]) =>
    [String(ids.length), ...ids.slice(0, 10).map(id => id.slice(0, 12))].join(' ');
  const lines = [
    `against    ${second.configuration}: ${plural(compared.tasks, 'task')} that both played`,
    `both       ${named(compared.bothSolved)}`,
    `only this  ${named(compared.onlyFirst)}`,
    `only that  ${named(compared.onlySecond)}`,
    `neither    ${named(compared.neither)}`,
  ];
  return `${lines.join('\n')}\n`;
}
