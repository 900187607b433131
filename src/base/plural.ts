/** Counts, sums, lists, durations, texts in words and cut texts, and what two sequences share at their ends. */

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** `1 of 3 tests fails`, `2 of 3 tests fail`. */
export function countFailing(failed: number, passed: number): string {
  return `${failed} of ${plural(failed + passed, 'test')} ${failed === 1 ? 'fails' : 'fail'}`;
}

/** The first items as `format` shows them, and how many more there are: `a, b, c and 2 more`. */
export function listFirst<T>(
  items: readonly T[],
  format: (item: T) => string = String,
  { most = 3, between = ', ' }: { readonly most?: number; readonly between?: string } = {},
): string {
  const more = items.length > most ? ` and ${items.length - most} more` : '';
  return `${items.slice(0, most).map(format).join(between)}${more}`;
}

type Part = string | false | undefined;

/** What is there of some lines or parts, with a line break or something else between them. An empty text is there. */
export const joinDefined = (parts: readonly (Part | readonly Part[])[], between = '\n'): string =>
  parts
    .flat()
    .filter(part => part !== undefined && part !== false)
    .join(between);

/** A duration for people: `0.4 s`, `12 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  const s = ms / 1000;
  if (s < 10) return `${s.toFixed(1)} s`;
  const whole = Math.round(s);
  if (whole < 120) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** How often each of some texts stands among them. */
export function countEach(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The words of a text that white space separates. */
export const splitWords = (text: string) => text.trim().split(/\s+/);

/** The words of a list as a set. */
export const collectWords = (list: string): ReadonlySet<string> => new Set(splitWords(list));

/** A text, or its first characters and a mark if it has more than so many. */
export function cutEnd(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

/** A text on one line of at most so many characters, the mark of a cut included. */
export function oneLine(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1).toWellFormed()}…` : line;
}

/** How many items two texts or lists share at their beginning, and how many behind that at their end. */
export function commonEnds<T>(a: ArrayLike<T>, b: ArrayLike<T>): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}
