/** The lines that calls read, each once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRead, rangesByFile, toLineRanges } from '../../src/guard/read-lines.ts';

it('ranges belong to a file under each of its spellings, and to a file of a skill', () => {
  const range = { startLine: 1, endLine: 2 };
  expect(
    rangesByFile([
      { kind: 'read', path: 'a.js', range },
      { kind: 'read', path: './a.js', range },
      { kind: 'read', path: 'b.js' },
      { kind: 'skill-file', skill: 's', file: 'x.md', range },
      { kind: 'navigate', path: 'c' },
    ]),
  ).toEqual(
    new Map([
      ['a.js', [range, range]],
      ['photon:s/x.md', [range]],
    ]),
  );
});

const lines = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
const linesOf = (ranges: ReturnType<typeof toLineRanges>) =>
  ranges.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i),
  );

describe('line numbers', () => {
  it('are the fewest ranges, in order', () => {
    expect(toLineRanges([5, 1, 2, 9, 3])).toEqual([
      { startLine: 1, endLine: 3 },
      { startLine: 5, endLine: 5 },
      { startLine: 9, endLine: 9 },
    ]);
    fc.assert(
      fc.property(lines, all => {
        expect(linesOf(toLineRanges(all))).toEqual([...all].sort((a, b) => a - b));
      }),
    );
  });

  it('count once, however ranges overlap', () => {
    const range = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }))
      .map(([startLine, more]) => ({ startLine, endLine: startLine + more }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 5 }), lines, (ranges, also) => {
        const expected = new Set([...linesOf(ranges), ...also]).size;
        expect(countRead(ranges, new Set(also))).toBe(expected);
      }),
    );
  });

  it('of a range without an end in sight are counted without a walk', () => {
    expect(countRead([{ startLine: 1, endLine: Number.MAX_SAFE_INTEGER }], new Set())).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });
});
