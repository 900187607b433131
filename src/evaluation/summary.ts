/** The figures of an evaluation, and of two that played the same tasks, with intervals for small numbers. Pure. */
import { median, sum } from '../base/plural.ts';
import { type Evaluation, type TaskResult, type Verdict, verdicts } from './result.ts';

/** A share with its 95 % interval. */
interface Interval {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution for 95 %. */
const z = 1.959963984540054;

/** Wilson's interval of `count` among `total`; everything is possible if there is none. */
export function wilson(count: number, total: number): Interval {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = count / total;
  const weight = 1 + (z * z) / total;
  const centre = (share + (z * z) / (2 * total)) / weight;
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total ** 2));
  // at the ends the two terms are equal, and rounding must not leave the range
  const low = count === 0 ? 0 : Math.max(0, centre - half);
  const high = count === total ? 1 : Math.min(1, centre + half);
  return { share, low, high };
}

export interface VerdictCount extends Interval {
  readonly verdict: Verdict;
  readonly count: number;
}

export interface EvaluationSummary {
  readonly tasks: number;
  readonly verdicts: readonly VerdictCount[];
  /** Null if the cost of a task is not known. */
  readonly cost: number | null;
  /** Per task. */
  readonly medianMs: number;
  readonly medianRounds: number;
  /** Refusals of each rule, most frequent first: how often, and in how many tasks. */
  readonly refusals: readonly {
    readonly rule: string;
    readonly count: number;
    readonly tasks: number;
  }[];
  /** Tasks whose commands could read files outside of the task. */
  readonly unconfined: number;
}

export function summariseEvaluation({ results }: Pick<Evaluation, 'results'>): EvaluationSummary {
  const costs = results.flatMap(r => (r.cost === null ? [] : [r.cost]));
  const rules = [...new Set(results.flatMap(r => Object.keys(r.refusals)))];
  return {
    tasks: results.length,
    verdicts: verdicts.map(verdict => {
      const count = results.filter(r => r.verdict === verdict).length;
      return { verdict, count, ...wilson(count, results.length) };
    }),
    cost: costs.length < results.length ? null : sum(costs),
    medianMs: median(results.map(r => r.durationMs)) ?? 0,
    medianRounds: median(results.map(r => r.rounds)) ?? 0,
    refusals: rules
      .map(rule => {
        const counts = results.flatMap(r => r.refusals[rule] ?? []);
        return { rule, count: sum(counts), tasks: counts.length };
      })
      .sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1)),
    unconfined: results.filter(r => !r.confined).length,
  };
}

/** Two configurations on the tasks that both played. */
export interface EvaluationComparison {
  readonly tasks: number;
  readonly bothSolved: number;
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  readonly neither: number;
}

/** Compares an evaluation with another one, task by task. */
export function compareEvaluations(first: Evaluation, second: Evaluation): EvaluationComparison {
  const others = new Map(second.results.map(r => [r.id, r]));
  const pairs = first.results.flatMap((result): readonly (readonly [TaskResult, TaskResult])[] => {
    const other = others.get(result.id);
    return other === undefined ? [] : [[result, other]];
  });
  const of = (one: boolean, two: boolean) =>
    pairs
      .filter(([a, b]) => (a.verdict === 'solved') === one && (b.verdict === 'solved') === two)
      .map(([a]) => a.id);
  const [onlyFirst, onlySecond] = [of(true, false), of(false, true)];
  return {
    tasks: pairs.length,
    bothSolved: of(true, true).length,
    onlyFirst,
    onlySecond,
    neither: of(false, false).length,
  };
}
