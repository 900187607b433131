/** Estimates what can be tried in the time that is left, and puts the likeliest candidates first where that is not all. */
import { plural } from '../../base/plural.ts';
import type { Candidate } from '../candidates/candidates.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { ComparedValues, RunnerAdapter } from '../runners/test-runner.ts';
import { trialStages } from './search.ts';

/** What speaks for a candidate beside its kind and the lines that failing tests ran. */
export interface Evidence {
  /** The texts of the task. */
  readonly task: string;
  /** The values that failed assertions compared. */
  readonly compared: readonly ComparedValues[];
  /** Lines that the last change of their file wrote, by path. */
  readonly recent: ReadonlyMap<string, ReadonlySet<number>>;
  readonly textOf: ReadonlyMap<string, string>;
}

/** How much more a candidate counts: on a line of git's last change, with a value of the failure, with a word of the task. */
const recentFactor = 2;
const valueFactor = 1.5;
const wordFactor = 1.5;

/** Words of every program, and of every task of this kind. */
const everyday =
  /^(?:return|with|from|this|await|else|elif|true|false|null|none|self|import|throw|raise|const|function|make|tests?|pass\w*|fail\w*|when|then|name|value)$/i;

/** The candidates in the order in which they are tried where there is no time for all. */
export function likeliestFirst(
  candidates: readonly Candidate[],
  { task, compared, recent, textOf }: Evidence,
): readonly Candidate[] {
  const taskWords = new Set(task.toLowerCase().match(/[a-z_$][\w$]{3,}/g));
  const values = compared
    .flatMap(({ actual, expected }) => [actual, expected])
    .map(value => value.replace(/^(['"`])(.*)\1$/s, '$2'))
    .filter(value => value.length > 1 && value.length <= 60 && !everyday.test(value));
  const linesOf = new Map([...textOf].map(([path, text]) => [path, text.split('\n')]));
  const score = ({ path, line, edits, score: own }: Candidate) => {
    const text = linesOf.get(path)?.[line - 1] ?? '';
    const both = [text, ...edits.map(e => e.text)].join('\n');
    const words = text.match(/[A-Za-z_$][\w$]{3,}/g) ?? [];
    const namesWord = words.some(w => taskWords.has(w.toLowerCase()) && !everyday.test(w));
    return (
      own *
      (recent.get(path)?.has(line) ? recentFactor : 1) *
      (values.some(value => both.includes(value)) ? valueFactor : 1) *
      (namesWord ? wordFactor : 1)
    );
  };
  return candidates
    .map(candidate => ({ candidate, score: score(candidate) }))
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate);
}

/** A run that takes longer, in milliseconds, is measured twice: the first one may load what later ones find. */
const longMs = 100;

/** How many candidates can be tried until a time, by a run of the failing tests without a change. The log says so if that is not all. */
export async function countAffordable(
  context: RepairContext,
  adapter: RunnerAdapter,
  { candidates, deadline }: { readonly candidates: number; readonly deadline: number },
): Promise<number> {
  const runner = await adapter.open();
  const measure = async () => {
    const started = context.now();
    await runner.run({ files: {}, stages: trialStages(adapter), bail: true, coverage: false });
    return context.now() - started;
  };
  try {
    const first = await measure();
    const each = Math.max(1, first > longMs ? Math.min(first, await measure()) : first);
    const leftMs = Math.max(0, deadline - context.now());
    const copies = Math.min(context.copies, Math.max(1, candidates));
    const affordable = Math.floor((leftMs * copies) / each);
    if (affordable < candidates)
      context.log(
        `Repair: a candidate takes about ${(each / 1000).toFixed(1)} s, so about ${affordable} of ${plural(candidates, 'candidate')} can be tried in the ${Math.round(leftMs / 1000)} s left, the likeliest first.`,
      );
    return affordable;
  } finally {
    runner.close();
  }
}
