import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLines } from '../../../src/workspace/text/compare-lines.ts';

/** The lines before with the replaced ones taken from the lines after, and the number of lines replaced. */
function applied(before: readonly string[], after: readonly string[]) {
  const lines: string[] = [];
  let [at, changed] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of compareLines(before, after)) {
    lines.push(...before.slice(at, oldStart), ...after.slice(newStart, newEnd));
    at = oldEnd;
    changed += oldEnd - oldStart + newEnd - newStart;
  }
  lines.push(...before.slice(at));
  return { lines, changed };
}

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 30 });

describe('a comparison of lines', () => {
  it('turns one text into the other, with the fewest changed lines, for generated texts', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { lines, changed } = applied(before, after);
        expect(lines).toEqual(after);
        const parts = diffArrays(before, after).filter(p => p.added || p.removed);
        expect(changed).toBe(parts.reduce((sum, p) => sum + p.count, 0));
      }),
    );
  });

  const numbered = (n: number, line: (i: number) => string) => [...Array(n).keys()].map(line);
  /** The same order of numbers each time, far from sorted. */
  const mixed = (n: number) => numbered(n, i => `line ${(i * 7919) % n}`);
  const kinds: Record<string, (n: number) => readonly [string[], string[]]> = {
    'of which every line differs': n => [numbered(n, i => `a${i}`), numbered(n, i => `b${i}`)],
    'with every second line changed': n => [
      numbered(n, i => `a${i}`),
      numbered(n, i => (i % 2 ? `a${i}` : `b${i}`)),
    ],
    'in another order': n => [numbered(n, i => `line ${i}`), mixed(n)],
    'of a few lines that repeat': n => [
      numbered(n, i => `${(i * i) % 11}`),
      numbered(n, i => `${(i * i * i) % 13}`),
    ],
  };

  // the square of this length would take longer than the test may
  it.each(Object.entries(kinds))('compares long texts %s', (_name, make) => {
    const [before, after] = make(100_000);
    expect(applied(before, after).lines).toEqual(after);
  });

  it('keeps what a long text has in common between many changes', () => {
    const before = numbered(6_000, i => (i % 3 ? `f(${i});` : '}'));
    const after = before.map((line, i) => (i % 10 === 5 ? `  ${line}` : line));
    expect(applied(before, after)).toEqual({ lines: after, changed: 1_200 });
  });
});
