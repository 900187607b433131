/** How the tasks of an evaluation ended, as data that is kept and read again. */

import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { sum } from '../base/plural.ts';
import { parseAs, parseJson } from '../base/schema-issue.ts';

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
  const parsed = resultSchema.safeParse(parseJson(file));
  return parsed.success ? parsed.data : undefined;
}

/** True for a text that claims to be an evaluation, valid or not. */
export function isEvaluation(file: string): boolean {
  const data = parseJson(file);
  return typeof data === 'object' && data !== null && 'results' in data;
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
  const results = new Map(
    parts
      .flatMap(p => p.results)
      .map(r => [r.id, r] as const)
      .reverse(),
  );
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
