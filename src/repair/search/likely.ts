/** Orders candidates by what speaks for them beside their kind: the last change, the values of the failure, the words of the task. Pure. */
import { collectWords } from '../../base/plural.ts';
import type { Candidate } from '../candidates/candidates.ts';
import type { ComparedValues } from '../runners/test-runner.ts';

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
const everyday = collectWords(
  'return with from this await else elif true false null none self import throw raise const function make test tests when then name value',
);
const isEveryday = (word: string) =>
  everyday.has(word.toLowerCase()) || /^(?:pass|fail)\w*$/i.test(word);

/** The candidates with the scores that this gives them, likeliest first. */
export function likeliestFirst(
  candidates: readonly Candidate[],
  { task, compared, recent, textOf }: Evidence,
): readonly Candidate[] {
  const taskWords = new Set(task.toLowerCase().match(/[a-z_$][\w$]{3,}/g));
  const values = compared
    .flatMap(({ actual, expected }) => [actual, expected])
    .map(value => value.replace(/^(['"`])(.*)\1$/s, '$2'))
    .filter(value => value.length > 1 && value.length <= 60 && !isEveryday(value));
  const linesOf = new Map([...textOf].map(([path, text]) => [path, text.split('\n')]));
  const score = ({ path, line, edits, score: own }: Candidate) => {
    const text = linesOf.get(path)?.[line - 1] ?? '';
    const both = [text, ...edits.map(e => e.text)].join('\n');
    const words = text.match(/[A-Za-z_$][\w$]{3,}/g) ?? [];
    const namesWord = words.some(w => taskWords.has(w.toLowerCase()) && !isEveryday(w));
    return (
      own *
      (recent.get(path)?.has(line) ? recentFactor : 1) *
      (values.some(value => both.includes(value)) ? valueFactor : 1) *
      (namesWord ? wordFactor : 1)
    );
  };
  return candidates
    .map(candidate => ({ ...candidate, score: score(candidate) }))
    .sort((a, b) => b.score - a.score);
}
