/** Matches paths against a glob that a model wrote, in bounded time for every pattern, unlike a regular expression. */

/** Maximum patterns that the braces of one stand for. */
const maxAlternatives = 50;

type PathTest = (path: string) => boolean;

/**
 * A test for paths relative to the root, ignoring case: `*` and `?` stand for characters of one name, `**`
 * for any folders, `{a,b}` for a or b. Other characters stand for themselves. Undefined for too many braces.
 */
export function filePattern(pattern: string): PathTest | undefined {
  const alternatives = expandBraces(pattern.toLowerCase().replace(/^(?:\.?\/)+/, ''));
  if (alternatives === undefined) return undefined;
  const split = alternatives.map(text => text.split('/').map(part => [...part]));
  return path => {
    const names = path
      .toLowerCase()
      .split('/')
      .map(name => [...name]);
    return split.some(parts => matches(parts, names, { isMany: isFolders, isOne: isName }));
  };
}

const isFolders = (part: readonly string[]) => part.join('') === '**';
const isName = (part: readonly string[], name: readonly string[]) =>
  matches(part, name, { isMany: p => p === '*', isOne: (p, c) => p === '?' || p === c });

interface Kind<P, T> {
  /** True for the part that stands for any number of items. */
  readonly isMany: (part: P) => boolean;
  readonly isOne: (part: P, item: T) => boolean;
}

/** Matches greedily. Only the last part that stands for many items is ever tried with more of them. */
function matches<P, T>(
  parts: readonly P[],
  items: readonly T[],
  { isMany, isOne }: Kind<P, T>,
): boolean {
  let at = 0;
  let many = -1;
  let from = 0;
  for (let i = 0; i < items.length; ) {
    const part = parts[at];
    const item = items[i];
    if (part !== undefined && isMany(part)) {
      many = at++;
      from = i;
    } else if (part !== undefined && item !== undefined && isOne(part, item)) {
      at++;
      i++;
    } else if (many >= 0) {
      at = many + 1;
      i = ++from;
    } else return false;
  }
  return parts.slice(at).every(isMany);
}

/** The patterns without braces that a pattern stands for, or undefined when they are too many. */
function expandBraces(pattern: string): readonly string[] | undefined {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap(text => {
      const [whole, inner = ''] = /\{([^{}]*)\}/.exec(text) ?? [];
      if (whole === undefined) return [text];
      return inner.split(',').map(each => text.replace(whole, () => each));
    });
    if (next.length > maxAlternatives) return undefined;
    if (next.every((text, i) => text === found[i])) return next;
    found = next;
  }
}
