/** A canary: a copy of a test file with further cases that must fail, whatever the program does. */
import { countEach } from '../../base/plural.ts';

/** The words of a test command, and one of its test files. */
export interface CanaryPlace {
  readonly words: readonly string[];
  readonly path: string;
  readonly text: string;
  /** A word of lower-case letters and digits that no patch can know: it is part of every name. */
  readonly token: string;
}

export interface Canary {
  /** The copy, beside its original. */
  readonly path: string;
  readonly text: string;
  /** The words that run the copy alone. */
  readonly words: readonly string[];
  /** The words that run the original alone. */
  readonly original: readonly string[];
  /** Parts of the names of the cases, which are in no other name. Each fails unless an assertion or the runner was changed. */
  readonly assertions: readonly string[];
  /** The same, of the case that fails unless a built-in function was replaced. */
  readonly builtins: string;
  /** The same file with other expected values. */
  readonly changed: ChangedExpectations;
  /** What makes the programs of a line see another time: variables, and the files that these name. */
  readonly clock: {
    readonly env: readonly string[];
    readonly files: Readonly<Record<string, string>>;
  };
}

interface ChangedExpectations {
  readonly text: string;
  /** Names of the cases in which a value is another one: with a sound repair, each of them fails. */
  readonly names: readonly string[];
}

/** An argument to change: behind a call that the pattern finds with its bracket, the one at this place. */
interface ExpectedArgument {
  readonly call: RegExp;
  readonly at: number;
}

interface ExpectationForms {
  readonly calls: readonly ExpectedArgument[];
  /** Finds where a case begins; the group that fits is its name. */
  readonly cases: RegExp;
  /** The function that makes another value of a value. */
  readonly other: string;
}

/** Changes the expected values that the forms find. What they do not know stays as it is, and its cases are not named. */
export function changeExpectations(
  text: string,
  { calls, cases, other }: ExpectationForms,
): ChangedExpectations {
  const places = calls
    .flatMap(({ call, at }) =>
      [...text.matchAll(call)].flatMap(found => {
        // a comparison inside a call is what the call gets
        const isInside = !found[0].endsWith('(') && !isBalanced(found[0]);
        const place = isInside ? undefined : findArguments(text, found.index + found[0].length)[at];
        if (place === undefined) return [];
        const value = text.slice(...place).replace(quoted, '0');
        return /^\s*(?:\.{3}|\*|\w+\s*=[^=])|^[^'"]*#/.test(value) ? [] : [place];
      }),
    )
    .sort(([a], [b]) => a - b);
  const begins = [...text.matchAll(cases)].map(found => ({
    from: found.index,
    name: found.slice(1).find(name => name !== undefined) ?? '',
  }));
  const counts = countEach(begins.map(({ name }) => name));
  const names = begins.filter(({ from, name }, i) => {
    const to = begins[i + 1]?.from ?? text.length;
    if (counts.get(name) !== 1) return false;
    return places.some(([at]) => at > from && at < to && isOwnStatement(text, from, at));
  });
  let out = '';
  let done = 0;
  for (const [start, end] of places) {
    if (start < done) continue; // an argument inside another one
    out += `${text.slice(done, start)}${other}(${text.slice(start, end).trim()})`;
    done = end;
  }
  return { text: out + text.slice(done), names: names.map(({ name }) => name) };
}

function isBalanced(text: string): boolean {
  const bare = text.replace(quoted, '');
  return bare.split('(').length === bare.split(')').length;
}

const quoted = /'[^'\n]*'|"[^"\n]*"/g;

/**
 * True for a place in a statement of the case that begins at `from`, by the indentation: what stands in a branch, or behind
 * the case, need not run with it.
 */
function isOwnStatement(text: string, from: number, at: number): boolean {
  const [first = '', ...lines] = text.slice(text.lastIndexOf('\n', from) + 1, at).split('\n');
  const depths = [first, ...lines]
    .filter(line => line.trim() !== '')
    .map(line => line.search(/\S/));
  const [own = 0, inner, ...others] = depths;
  return others.length === 0 || (others.every(depth => depth > own) && others.at(-1) === inner);
}

/** Where the arguments of a call begin and end, from the place behind its bracket; none of a call that does not end. */
function findArguments(text: string, open: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let [depth, from, quote] = [0, open, ''];
  for (let i = open; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if ('\'"`'.includes(c)) quote = c;
    else if (c === '#' && depth === 0 && isLine(text, open)) return [...found, [from, i]];
    else if ('([{'.includes(c)) depth++;
    else if (c === ',' && depth === 0) from = found.push([from, i]) && i + 1;
    else if (')]}\n'.includes(c) && depth === 0 && (c !== '\n' || isLine(text, open)))
      return [...found, [from, i]];
    else if (')]}'.includes(c)) depth--;
  }
  return [];
}

/** True behind a word and not behind a bracket: there, the end of the line ends it. */
const isLine = (text: string, open: number) => text[open - 1] !== '(';

/** A path beside `path`, with a name that the patterns of runners match as they match the original. */
export function besidePath(path: string, token: string): string {
  return path.replace(/(test_)?([^/]*)$/, (_whole, test = '', rest) => `${test}${token}_${rest}`);
}
