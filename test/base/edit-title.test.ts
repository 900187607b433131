/** A title says what an edit changes, never which template made it. */
import { describe, expect, it } from 'vitest';
import { editTitle, editTitles } from '../../src/base/edit-title.ts';

const edit = (before: string, after: string, symbol = 'paidHours') => ({
  path: 'src/hours.js',
  line: 4,
  symbol,
  before,
  after,
});

describe('the title of an edit', () => {
  it.each([
    ['  return Math.floor(m / 60);', '  return Math.ceil(m / 60);', 'Round up'],
    ['return math.ceil(m)', 'return math.floor(m)', 'Round down'],
    ['total * (1 - p / 10)', 'total * (1 - p / 100)', 'Change `10` to `100`'],
    ['if (a > 3) {', 'if (a >= 3) {', 'Compare with `>=` instead of `>`'],
    ['while (i <= n) {', 'while (i < n) {', 'Compare with `<` instead of `<=`'],
    ['return a == b;', 'return a === b;', 'Compare with `===` instead of `==`'],
    ['if (a && b) {', 'if (a || b) {', 'Change `&&` to `||`'],
    ['return load(x);', 'return await load(x);', 'Add `await`'],
    ['return !isOpen;', 'return isOpen;', 'Remove `!`'],
    ['return size(x);', 'return Math.abs(size(x));', 'Change `size(x)` to `Math.abs(size(x))`'],
    ['  let n = 0;', '  let n = 0;\n  if (!x) return n;', 'Add `if (!x) return n;`'],
    ['"a b"', '"a  b"', 'Change `"a b"` to `"a  b"`'],
  ])('of %j to %j', (before, after, what) => {
    expect(editTitle(edit(before, after))).toBe(`${what} in \`paidHours\``);
  });

  it.each([
    ['if (a > 3) {', 'if (a >= 3) {', 'Include the bound'],
    ['while (i <= n) {', 'while (i < n) {', 'Exclude the bound'],
    ['return a < b;', 'return a > b;', 'Reverse the comparison'],
    ['if (a || b) {', 'if (a && b) {', 'Require both conditions'],
    ['return !isOpen;', 'return isOpen;', 'Remove the negation'],
  ])('of %j to %j has words where a title can hold no signs', (before, after, what) => {
    expect(editTitles(edit(before, after))[1]).toBe(`${what} in \`paidHours\``);
  });

  it('names the file outside of functions, and only the place of a long edit', () => {
    expect(editTitle(edit('1', '2', ''))).toBe('Change `1` to `2` in `src/hours.js`');
    const long = `call(${'argument, '.repeat(20)})`;
    expect(editTitles(edit('x', long))).toEqual(['Fix `paidHours`']);
  });
});
