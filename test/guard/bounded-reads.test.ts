/** Reads cut to what a round may still show: a property over generated ranges, and the claims that are judged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipRanges, countRead, withBoundedReads } from '../../src/guard/read-lines.ts';

const number = fc.integer({ min: 1, max: 80 });
const range = fc.tuple(number, fc.integer({ min: 0, max: 40 })).map(([startLine, more]) => ({
  startLine,
  endLine: startLine + more,
}));

describe('clipped ranges', () => {
  it('hold no more lines than are left, are beginnings of what was asked for, and waste none', () => {
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 5 }),
        fc.uniqueArray(number, { maxLength: 20 }),
        fc.integer({ min: 20, max: 60 }),
        (ranges, also, most) => {
          const read = new Set(also);
          const clipped = clipRanges(ranges, read, most);
          const total = countRead(clipped, read);
          expect(total).toBeLessThanOrEqual(Math.max(most, read.size));
          expect(total).toBe(Math.min(Math.max(most, read.size), countRead(ranges, read)));
          for (const [i, { startLine, endLine }] of clipped.entries()) {
            expect(startLine).toBe(ranges[i]?.startLine);
            expect(endLine).toBeLessThanOrEqual(ranges[i]?.endLine ?? 0);
          }
        },
      ),
    );
  });

  it('take no time over numbers without an end', () => {
    expect(
      clipRanges([{ startLine: 1, endLine: Number.MAX_SAFE_INTEGER }], new Set(), 500),
    ).toEqual([{ startLine: 1, endLine: 500 }]);
  });
});

it('the claims of a call share what is left of each file, and other claims stay as they are', () => {
  const to = (startLine: number, endLine: number) => ({ range: { startLine, endLine } });
  const claims = [
    { kind: 'read', path: 'a.js', ...to(1, 8) },
    { kind: 'read', path: 'b.js' },
    { kind: 'read', path: './a.js', ...to(20, 29) },
    { kind: 'skill-file', skill: 's', file: 'x.md', ...to(1, 99) },
    { kind: 'navigate', path: 'a.js' },
  ] as const;
  expect(withBoundedReads(claims, new Map([['a.js', new Set([1, 2, 40])]]), 10)).toEqual([
    claims[0],
    claims[1],
    { ...claims[2], ...to(20, 20) },
    { ...claims[3], ...to(1, 10) },
    claims[4],
  ]);
});
