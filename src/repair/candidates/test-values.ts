/** What failing tests show: the values that they compared, and the names that an interpreter did not find. Pure. */
import type { CaseResult, ComparedValues } from '../runners/test-runner.ts';

const maxCompared = 20;

/** The different values that failed assertions compared. */
export function collectCompared(failed: readonly CaseResult[]): readonly ComparedValues[] {
  const compared = new Map<string, ComparedValues>();
  for (const one of failed) {
    const found = one.compared ?? comparedIn(one.message ?? '');
    if (found !== undefined) compared.set(`${found.actual}\0${found.expected}`, found);
  }
  return [...compared.values()].slice(0, maxCompared);
}

/** The names that were not found: `has no attribute 'x'`, `name 'x' is not defined`, `a.x is not a function`. */
export function collectMissing(failed: readonly CaseResult[]): ReadonlySet<string> {
  const found = failed.flatMap(({ message = '' }) => [
    ...message.matchAll(
      /has no attribute '(\w+)'|name '(\w+)' is not defined|([\w$]+) is not (?:a function|a constructor|defined)/g,
    ),
  ]);
  return new Set(found.map(([, attribute, name, other]) => attribute ?? name ?? other ?? ''));
}

/** The two texts in a message of pytest, unittest or chai. */
function comparedIn(message: string): ComparedValues | undefined {
  const [line = ''] = message.split('\n');
  const text = `'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)"`;
  const found = new RegExp(
    `(?:${text}) (?:==|!=|to (?:deeply )?equal|to be) (?:${text})(?:$|[\\s:])`,
  ).exec(line);
  if (found === null) return undefined;
  const [, a1, a2, b1, b2] = found;
  return { actual: a1 ?? a2 ?? '', expected: b1 ?? b2 ?? '' };
}

/** How much two names have in common, in [0, 1]: twice their longest common subsequence over both lengths. */
export function likeness(one: string, other: string): number {
  const both = one.length + other.length;
  if (both === 0) return 1;
  let row = new Array<number>(other.length + 1).fill(0);
  for (const letter of one) {
    const next = [0];
    for (let j = 1; j <= other.length; j++)
      next.push(
        other[j - 1] === letter ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0),
      );
    row = next;
  }
  return (2 * (row[other.length] ?? 0)) / both;
}
