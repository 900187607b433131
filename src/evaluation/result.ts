/** How the tasks of an evaluation ended, as data that is kept and read again, and the figures of it, with intervals for small numbers. Pure. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { median, sum } from '../base/plural.ts';
import { asObject, parseAs, parseJson } from '../base/schema-issue.ts';

/**
 * `solved`: the hidden tests pass, and nothing fails that passed. `wrong`: a patch was delivered with which they do not.
 * `abstained`: the run gave up, asked, or changed nothing. `failed`: every other ending.
 */
export const verdicts = ['solved', 'wrong', 'abstained', 'failed'] as const;
export type Verdict = (typeof verdicts)[number];

const text = (max: number) => z.string().max(max);
const amount = () => z.number().min(0);

const resultSchema = z.strictObject({
  id: text(200).min(1),
  title: text(200),
  verdict: z.enum(verdicts),
  code: text(60),
  note: text(400),
  /** In the currency of the prices; null if the model has no price. */
  cost: amount().nullable(),
  durationMs: amount(),
  rounds: amount(),
  /** How often each rule refused a call. */
  refusals: z.record(text(60), amount()),
  /** False if commands could read files outside of the task, such as the repository that holds the fix. */
  confined: z.boolean(),
  /** The patch that was delivered; empty if there is none. */
  patch: text(4_000_000),
});

export type TaskResult = z.infer<typeof resultSchema>;

const evaluationSchema = z.object({
  schema: z.literal(1),
  /** What was measured, for people: model, profile, prompt, version. */
  configuration: z.record(text(60), text(300)),
  /** Digest of everything that decides how a task is played. */
  key: text(64),
  seed: text(100),
  /** Numbers of commits that were looked at, and of tasks among them. */
  looked: amount(),
  found: amount(),
  /** Why the others are no tasks, and how many. */
  dropped: z.record(text(300), amount()),
  /** Tasks that were not played, and why. */
  open: z.array(z.strictObject({ id: text(200), reason: text(300) })),
  results: z.array(resultSchema).max(20_000),
});

/** An evaluation of one configuration. */
export type Evaluation = z.infer<typeof evaluationSchema>;

/** Parses the text of a result. @returns undefined if it is not one, such as the file of another version. */
export function parseResult(file: string): TaskResult | undefined {
  return resultSchema.safeParse(parseJson(file)).data;
}

/** True for a text that claims to be an evaluation, valid or not. */
export function isEvaluation(file: string): boolean {
  return 'results' in asObject(parseJson(file));
}

/** Parses the text of an evaluation. @throws PhotonError `EVALUATION_INVALID`. */
export function parseEvaluation(file: string, name: string): Evaluation {
  return parseAs(evaluationSchema, file, { code: 'EVALUATION_INVALID', name });
}

/**
 * The parts of one evaluation as one. Of a task that is in several, the first counts.
 * @throws PhotonError `EVALUATION_INVALID` if they are not of the same configuration.
 */
export function joinEvaluations(parts: readonly Evaluation[]): Evaluation {
  const [first] = parts;
  if (first === undefined) throw new PhotonError('EVALUATION_INVALID', 'There is no eval.json.');
  if (parts.some(p => p.key !== first.key))
    throw new PhotonError('EVALUATION_INVALID', 'The parts are of different configurations.', {
      hint: 'Give the folders of one evaluation, and the other one with --against.',
    });
  const results = new Map(parts.flatMap(p => p.results.map(r => [r.id, r] as const)).reverse());
  const dropped = new Map<string, number>();
  for (const [reason, count] of parts.flatMap(p => Object.entries(p.dropped)))
    dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  return {
    ...first,
    looked: sum(parts.map(p => p.looked)),
    found: sum(parts.map(p => p.found)),
    dropped: Object.fromEntries(dropped),
    open: parts.flatMap(p => p.open).filter(o => !results.has(o.id)),
    results: [...results.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** A share with its 95 % interval. */
interface Interval {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution for 95 %. */
const quantile = 1.959963984540054;

/** Wilson's interval of `count` among `total`; everything is possible if there is none. */
export function wilson(count: number, total: number): Interval {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = count / total;
  const weight = 1 + quantile ** 2 / total;
  const centre = (share + quantile ** 2 / (2 * total)) / weight;
  const half =
    (quantile / weight) *
    Math.sqrt((share * (1 - share)) / total + quantile ** 2 / (4 * total ** 2));
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
