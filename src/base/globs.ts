/** Matches paths against globs in time that grows with the product of their lengths, whatever the glob is. Pure. */
import { expand } from 'brace-expansion';

/** Options of a glob. `*` never stands for a slash, and `**` between slashes for any number of folders. */
interface GlobOptions {
  /** True if letters match in either case. */
  readonly nocase?: boolean;
  /** False if braces are characters. */
  readonly braces?: boolean;
  /** False if brackets and parentheses are characters: no classes and no extended forms. */
  readonly brackets?: boolean;
}

/** Maximum patterns that the braces of one glob stand for; the others are left out. */
const maxAlternatives = 1_000;
/** Maximum groups inside of groups; deeper ones are read as text. */
const maxNesting = 4;

/** One step of a glob: what it matches, from each place where the steps before it ended. */
type GlobPart =
  | { readonly kind: 'one'; readonly test: (character: string) => boolean }
  | { readonly kind: 'star' | 'folders' | 'rest' }
  | {
      readonly kind: 'group';
      readonly mark: string;
      readonly parts: readonly (readonly GlobPart[])[];
    };

/** A glob with braces, classes such as `[a-z]`, and the extended forms `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `!(…)`. */
export function globTest(
  glob: string,
  { nocase = false, braces = true, brackets = true }: GlobOptions = {},
): (path: string) => boolean {
  const inCase = (text: string) => (nocase ? text.toLowerCase() : text);
  // braces beside a group belong to it: what it excludes, each of them must exclude
  const isExpanded = braces && glob.includes('{') && !(brackets && glob.includes('('));
  // an expansion takes one escape from a brace, and what is left reads braces, too
  const escaped = isExpanded ? glob.replace(/\\([\\{},.])/g, '\\\\\\$1') : glob;
  const globs = isExpanded ? expand(escaped, { max: maxAlternatives }) : [glob];
  const all = globs.map(each => new GlobReader(inCase(each), { braces, brackets }).steps());
  return path => {
    const text = [...inCase(path)];
    return all.some(steps => findEnds(steps, text, new Set([0])).has(text.length));
  };
}

/** Where the steps can end that begin at one of these places. */
function findEnds(
  steps: readonly GlobPart[],
  text: readonly string[],
  starts: Positions,
): Positions {
  let places = starts;
  for (const step of steps) {
    if (places.size === 0) break;
    places = endsOfStep(step, text, places);
  }
  return places;
}

type Positions = ReadonlySet<number>;

function endsOfStep(step: GlobPart, text: readonly string[], starts: Positions): Positions {
  const ends = new Set<number>();
  if (step.kind === 'group') return endsOfGroup(step, text, starts);
  if (step.kind === 'one') {
    for (const at of starts) if (at < text.length && step.test(text[at] ?? '')) ends.add(at + 1);
    return ends;
  }
  // each place is looked at once, since what begins later ends where this one does
  let open = false;
  for (let at = 0; at <= text.length; at++) {
    const before = text[at - 1];
    if (step.kind === 'star' && before === '/') open = false;
    if (starts.has(at)) open = true;
    const isEnd = step.kind !== 'folders' || starts.has(at) || before === '/';
    if (open && isEnd) ends.add(at);
  }
  return ends;
}

function endsOfGroup(
  { mark, parts }: Extract<GlobPart, { kind: 'group' }>,
  text: readonly string[],
  starts: Positions,
): Positions {
  const once = (from: Positions) => new Set(parts.flatMap(part => [...findEnds(part, text, from)]));
  if (mark === '@') return once(starts);
  if (mark === '?') return starts.union(once(starts));
  if (mark === '!') return endsOfOthers(once, text, starts);
  let found: Positions = mark === '*' ? starts : new Set();
  for (let fresh: Positions = starts; fresh.size > 0; ) {
    fresh = once(fresh).difference(found);
    found = found.union(fresh);
  }
  return found;
}

/** The ends of what fits no alternative and holds no slash. */
function endsOfOthers(
  once: (from: Positions) => Positions,
  text: readonly string[],
  starts: Positions,
): Positions {
  const ends = new Set<number>();
  for (const start of starts) {
    const excluded = once(new Set([start]));
    for (let at = start; at <= text.length; at++) {
      if (!excluded.has(at)) ends.add(at);
      if (text[at] === '/') break;
    }
  }
  return ends;
}

/** Reads a glob from left to right. */
class GlobReader {
  readonly #glob: readonly string[];
  readonly #options: Pick<GlobOptions, 'braces' | 'brackets'>;
  #at = 0;
  /** What ends an alternative of each group around this place. */
  readonly #ends: string[] = [];

  constructor(glob: string, options: Pick<GlobOptions, 'braces' | 'brackets'>) {
    this.#glob = [...glob];
    this.#options = options;
  }

  /** The steps up to the end of the glob, or of the alternative of a group. */
  steps(): readonly GlobPart[] {
    const steps: GlobPart[] = [];
    while (this.#at < this.#glob.length) {
      const character = this.#glob[this.#at] ?? '';
      if (this.#ends.at(-1)?.includes(character) === true) break;
      steps.push(...this.#step(character));
    }
    return steps;
  }

  #step(character: string): readonly GlobPart[] {
    const { braces, brackets } = this.#options;
    const isMarked = '@?*+!'.includes(character) && this.#glob[this.#at + 1] === '(';
    if (brackets && isMarked && this.#opens(this.#at + 1, '()')) {
      this.#at += 1;
      return [this.#group(character, '|)')];
    }
    if (brackets && character === '(' && this.#opens(this.#at, '()'))
      return [this.#group('@', '|)')];
    if (braces && character === '{' && this.#opens(this.#at, '{}')) return [this.#group('@', ',}')];
    if (character === '*') return this.#stars();
    this.#at += 1;
    if (character === '?') return [{ kind: 'one', test: c => c !== '/' }];
    if (brackets && character === '[') return [this.#characterClass()];
    if (character !== '\\' || this.#at === this.#glob.length) return [literal(character)];
    this.#at += 1;
    return [literal(this.#glob[this.#at - 1] ?? '')];
  }

  #stars(): readonly GlobPart[] {
    const first = this.#at;
    do this.#at += 1;
    while (
      this.#glob[this.#at] === '*' &&
      !(this.#options.brackets && this.#glob[this.#at + 1] === '(')
    );
    const isBegun = first === 0 || this.#glob[first - 1] === '/';
    const next = this.#glob[this.#at];
    if (this.#at - first < 2 || !isBegun || this.#ends.length > 0) return [{ kind: 'star' }];
    if (next === undefined) return [{ kind: 'rest' }];
    if (next !== '/') return [{ kind: 'star' }];
    this.#at += 1;
    return [{ kind: 'folders' }];
  }

  /** A group that this character opens; the first of `ends` parts its alternatives. */
  #group(mark: string, ends: string): GlobPart {
    const parts: (readonly GlobPart[])[] = [];
    this.#ends.push(ends);
    do {
      this.#at += 1;
      parts.push(this.steps());
    } while (this.#glob[this.#at] === ends[0]);
    this.#ends.pop();
    this.#at += 1;
    return { kind: 'group', mark, parts };
  }

  /** True if the character at this place opens a group that is closed, and not too deep. */
  #opens(place: number, [open, close]: string): boolean {
    let depth = 0;
    for (let at = place; at < this.#glob.length && this.#ends.length < maxNesting; at++) {
      if (this.#glob[at] === '\\') at += 1;
      else if (this.#glob[at] === open) depth += 1;
      else if (this.#glob[at] === close) depth -= 1;
      if (depth === 0) return true;
    }
    return false;
  }

  /** A class such as `[a-z]` or `[!a]`; without its end, the bracket is a character. */
  #characterClass(): GlobPart {
    const start = this.#at;
    const isNot = '!^'.includes(this.#glob[start] ?? ' ');
    const first = isNot ? start + 1 : start;
    const end = this.#glob.indexOf(']', first + 1);
    const inside = this.#glob.slice(first, end);
    if (end < 0 || inside.includes('/')) return literal('[');
    this.#at = end + 1;
    const ranges: (readonly [string, string])[] = [];
    for (let i = 0; i < inside.length; i++) {
      const from = inside[i] ?? '';
      const to = inside[i + 1] === '-' ? inside[i + 2] : undefined;
      ranges.push([from, to ?? from]);
      if (to !== undefined) i += 2;
    }
    const holds = (c: string) => ranges.some(([from, to]) => from <= c && c <= to);
    return { kind: 'one', test: c => c !== '/' && holds(c) !== isNot };
  }
}

function literal(character: string): GlobPart {
  return { kind: 'one', test: c => c === character };
}
