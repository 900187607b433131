import { expect, it } from 'vitest';
import { allKnown, shiftKnown } from '../../../src/workspace/text/known-lines.ts';

const lines = ['a', 'b', 'c', 'd'];

it('all lines of a text are known by their numbers', () => {
  expect([...allKnown(lines)]).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [4, 'd'],
  ]);
});

it.each([
  ['a replaced line', { startLine: 2, endLine: 2, inserted: 1 }, ['a', 'B', 'c', 'd']],
  ['a line that became two', { startLine: 2, endLine: 2, inserted: 2 }, ['a', 'x', 'y', 'c', 'd']],
  ['an insertion', { startLine: 3, endLine: 2, inserted: 1 }, ['a', 'b', 'x', 'c', 'd']],
  ['a deletion', { startLine: 1, endLine: 2, inserted: 0 }, ['c', 'd']],
])('%s moves the known lines with their text', (_, replacement, after) => {
  expect(
    new Map([...shiftKnown(allKnown(lines), [replacement], after)].sort(([a], [b]) => a - b)),
  ).toEqual(allKnown(after));
});

it('of several replacements each moves the lines behind it, in any order', () => {
  const replacements = [
    { startLine: 4, endLine: 4, inserted: 1 },
    { startLine: 1, endLine: 1, inserted: 2 },
  ];
  const known = shiftKnown(new Map([[2, 'b']]), replacements, ['x', 'y', 'b', 'c', 'D']);
  expect(Object.fromEntries(known)).toEqual({ 1: 'x', 2: 'y', 3: 'b', 5: 'D' });
});
