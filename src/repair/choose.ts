/** Tells the edits that pass all tests apart by what they mean: the engine delivers one only if no other one passes. Pure. */
import { applyTextEdits } from './candidates/edit.ts';
import type { Survivor } from './search/search.ts';

/** An edit that passes all tests. */
export interface Choice extends Survivor {
  /** Name of the function that it changes; empty outside of functions. */
  readonly symbol: string;
}

/** The best edit of each meaning, best first. */
export function chooseByMeaning<T extends Survivor>(
  survivors: readonly T[],
  textOf: ReadonlyMap<string, string>,
): readonly T[] {
  const found = new Map<string, T>();
  for (const survivor of survivors.toSorted((a, b) => a.rank - b.rank)) {
    const { path, edits } = survivor.candidate;
    const key = `${path}\0${normalise(applyTextEdits(textOf.get(path) ?? '', edits))}`;
    if (!found.has(key)) found.set(key, survivor);
  }
  return [...found.values()];
}

const plainValue = /[\w$.]+/.source;
/** A comparison or a product of two plain values, which no stronger operator takes apart. */
const mirrored = new RegExp(
  `(?<![\\w$.])(?<![-+*/%)\\]] ?)(${plainValue}) ?(>=?|[!=]==?|\\*) ?(${plainValue})(?! ?[-+*/%([\\w$.])`,
  'g',
);

/** A text without what changes no meaning: white space in a line, parentheses around a plain value, the order of two plain values that are compared or multiplied. */
export function normalise(text: string): string {
  return text
    .replace(/(?<![\w$)\]])\(([\w$.]+)\)(?! ?=>)/g, '$1')
    .replace(/(?<=\S)[ \t]+/g, ' ')
    .replace(mirrored, (...[, left = '', operator = '', right = '']: string[]) =>
      operator.startsWith('>')
        ? `${right} ${operator.replace('>', '<')} ${left}`
        : [left, right].sort().join(` ${operator} `),
    )
    .replace(/(?<=\S) ?([^\w\s$]) ?/g, '$1');
}
