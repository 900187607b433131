/** Collects the names and words of the failing tests, which a task may repeat. Pure. */
import type { CaseResult } from '../runners/test-runner.ts';
import { commonWords } from './task-vocabulary.ts';

export interface FailingTests {
  /** Names of the failing cases, with and without their suites; never empty. */
  readonly names: readonly string[];
  /** The beginning of each failure message, on one line. */
  readonly messages: readonly string[];
  /** Files of the failing cases, and suspected files. */
  readonly files: readonly string[];
  /** Names that the suspected files declare. */
  readonly symbols: ReadonlySet<string>;
  /** Distinctive words of names and messages, in lower case. */
  readonly words: ReadonlySet<string>;
}

// every repetition is bounded, because a file may be a single line of a megabyte
const declarations: readonly RegExp[] = [
  /\b(?:function\*?|class|def|const|let|var|type|interface|enum|func)\s+(?:\([^()]{0,200}\)\s*)?([\p{L}_$][\p{L}\p{N}_$]{0,100})/gu,
  // a method
  /^[ \t]*(?:(?:async|static|get|set|public|private|protected)[ \t]+){0,3}([\p{L}_$][\p{L}\p{N}_$]{0,100})[ \t]*\([^()]{0,300}\)[ \t]*(?::[^{\n]{0,200})?\{/gmu,
  // an assigned or a listed function
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{0,100})\s{0,9}[:=]\s{0,9}(?:async\s{1,9})?(?:function\b|\([^()]{0,300}\)\s{0,9}=>|[\w$]{1,100}\s{0,9}=>)/gu,
];
const keywords = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return', 'with']);

/** Collects everything that a task may name; `textOf` holds the texts of the suspected files. */
export function collectFailingTests(
  failed: readonly CaseResult[],
  textOf: ReadonlyMap<string, string>,
): FailingTests {
  const names = failed.flatMap(listNames);
  const messages = failed.map(c => oneLine(c.message ?? '')).filter(m => m !== '');
  const symbols = [...textOf.values()].flatMap(text =>
    declarations.flatMap(d => [...text.matchAll(d)].map(m => m[1] ?? '')),
  );
  const files = [...failed.map(c => c.file), ...textOf.keys()].filter(f => f !== '');
  return {
    names: [...new Set(names)],
    messages: [...new Set(messages)],
    files: [...new Set(files)],
    symbols: new Set(symbols.filter(s => !keywords.has(s))),
    words: new Set([...names, ...messages].flatMap(splitWords).filter(isDistinctive)),
  };
}

/** The names of `file > suite > name`: `name` and `suite > name`. */
function listNames({ id, file }: CaseResult): readonly string[] {
  const parts = id.split(' > ').filter((p, i) => !(i === 0 && p === file));
  return parts.length === 0 ? [id] : [parts.at(-1) ?? '', parts.join(' > ')];
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The words and numbers of a text in lower case; `test_even` and `evenNumbers` are two words each. */
export function splitWords(text: string): readonly string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
  return (apart.toLowerCase().match(/\d+(?:[.,]\d+)*|[\p{L}][\p{L}'’]*/gu) ?? []).map(w =>
    w.length > 3 ? w.replaceAll('’', "'").replace(/(?<!s)s$/, '') : w,
  );
}

/** True for a word that distinguishes one failure from another. */
export function isDistinctive(word: string): boolean {
  return !commonWords.has(word) && (/^\d\d/.test(word) || word.length > 2);
}
