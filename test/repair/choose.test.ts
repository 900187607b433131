/** Which edits that pass all tests mean the same, and which the tests do not tell apart. */
import { describe, expect, it } from 'vitest';
import { chooseByMeaning, normalise } from '../../src/repair/choose.ts';
import { survivor, textOf } from './survivors.ts';

describe('edits that pass all tests', () => {
  it('are one choice if they mean the same, the best first', () => {
    const found = chooseByMeaning(
      [survivor('(four)', 2), survivor('five', 1), survivor('four', 0)],
      textOf,
    );
    expect(found.map(choice => choice.rank)).toEqual([0, 1]);
  });

  it.each([
    ['a < b', 'b > a'],
    ['if (n >= size) stop();', 'if (size <= n) stop();'],
    ['x === y', 'y === x'],
    ['return width * height;', 'return height * width;'],
    ['f( a,b )', 'f(a, b)'],
    ['return (total);', 'return total;'],
    ['if not (done):', 'if not done:'],
  ])('mean the same: %s and %s', (one, other) => expect(normalise(one)).toBe(normalise(other)));

  it.each([
    ['a < b', 'b < a'],
    ['a <= b', 'a < b'],
    ['a > b - 1', 'b < a - 1'],
    ['a - b > c', 'c < a + b'],
    ['a !== b', 'a === b'],
    ['(a) => a', 'b => a'],
    ['f(a)', 'f(b)'],
    ['    return n', '        return n'],
    ['a / b * c', 'a / c * b'],
  ])('do not mean the same: %s and %s', (one, other) =>
    expect(normalise(one)).not.toBe(normalise(other)),
  );
});
