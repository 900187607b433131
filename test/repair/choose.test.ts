/** Which edits that pass all tests mean the same, and which the tests do not tell apart. */
import { describe, expect, it } from 'vitest';
import { chooseByMeaning, writeMeaning } from '../../src/repair/choose.ts';
import { symbols } from './candidates/templates/repairs.ts';
import { survivor, textOf } from './survivors.ts';

const meaningOf = (path: string, text: string) => symbols.withTree(path, text, writeMeaning);

describe('edits that pass all tests', () => {
  it('are one choice if they mean the same, the best first', async () => {
    const found = await chooseByMeaning(
      symbols,
      [survivor('(four)', 2), survivor('five', 1), survivor('four', 0)],
      textOf,
    );
    expect(found.map(choice => choice.rank)).toEqual([0, 1]);
  });

  it.each([
    ['a.js', 'a < b', 'b > a'],
    ['a.js', 'if ((n >= size - 1)) stop();', 'if (size - 1 <= n) stop();'],
    ['a.js', 'x = width * height;', 'x = height * width;'],
    ['a.js', 'f( a,b )', 'f(a, b)'],
    ['a.js', 'x = (a + b) + c;', 'x = a + b\n  + c;'],
    ['a.py', 'if not (done):\n    f()', 'if not done:\n    f()'],
    ['a.py', 'x = a[-1] > b', 'x = (b<a[-1])'],
    ['a.go', 'package a\nvar x = (a) > b', 'package a\nvar x = b < a'],
  ])('mean the same in %s: %s and %s', async (path, one, other) =>
    expect(await meaningOf(path, one)).toBe(await meaningOf(path, other)),
  );

  it.each([
    ['a.js', 'a < b', 'b < a'],
    ['a.js', 'i <= n - 1', 'i < n'],
    ['a.js', 'a > b - 1', 'b < a - 1'],
    ['a.js', 'a - b > c', 'c < a + b'],
    ['a.js', 'a - (b - c)', 'a - b - c'],
    ['a.js', 'a !== b', 'a === b'],
    ['a.js', '(a) => a', 'b => a'],
    ['a.js', 'f() < g()', 'g() > f()'],
    ['a.js', "f('a b')", "f('a  b')"],
    ['a.py', 'if a:\n    b()\n    c()', 'if a:\n    b()\nc()'],
    ['a.py', 'x = (a,)', 'x = (a)'],
    ['a.js', 'a / b * c', 'a / c * b'],
  ])('do not mean the same in %s: %s and %s', async (path, one, other) =>
    expect(await meaningOf(path, one)).not.toBe(await meaningOf(path, other)),
  );
});
