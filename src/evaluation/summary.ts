/** The figures of an evaluation, and of two that played the same tasks. Pure. */
import { type Evaluation, sum, type TaskResult, type Verdict, verdicts } from './result.ts';
import { type Interval, mcnemar, wilson } from './statistics.ts';

export interface VerdictCount extends Interval {
  readonly verdict: Verdict;
  readonly count: number;
}

/** The figures of one configuration. */
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
    medianMs: median(results.map(r => r.durationMs)),
    medianRounds: median(results.map(r => r.rounds)),
    refusals: rules
      .map(rule => {
        const counts = results.flatMap(r => r.refusals[rule] ?? []);
        return { rule, count: sum(counts), tasks: counts.length };
      })
      .sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1)),
    unconfined: results.filter(r => !r.confined).length,
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Two configurations on the tasks that both played. */
export interface EvaluationComparison {
  readonly tasks: number;
  readonly bothSolved: number;
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  readonly neither: number;
  /** The probability of a split as uneven as this one, if both were equally good. */
  readonly p: number;
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
    p: mcnemar(onlyFirst.length, onlySecond.length),
  };
}
