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
    [
      '  return Math.floor(m / 60);',
      '  return Math.ceil(m / 60);',
      'Change `Math.floor` to `Math.ceil`',
    ],
    ['total * (1 - p / 10)', 'total * (1 - p / 100)', 'Change `10` to `100`'],
    ['if (a > 3) {', 'if (a >= 3) {', 'Change `>` to `>=`'],
    ['if (a && b) {', 'if (a || b) {', 'Change `&&` to `||`'],
    ['return load(x);', 'return await load(x);', 'Add `await`'],
    ['return !isOpen;', 'return isOpen;', 'Remove `!`'],
    ['return size(x);', 'return Math.abs(size(x));', 'Change `size(x)` to `Math.abs(size(x))`'],
    ['  let n = 0;', '  let n = 0;\n  if (!x) return n;', 'Add `if (!x) return n;`'],
    ['"a b"', '"a  b"', 'Change `"a b"` to `"a  b"`'],
  ])('of %j to %j', (before, after, what) => {
    expect(editTitle(edit(before, after))).toBe(`${what} in \`paidHours\``);
  });

  it('names the file outside of functions, and only the place of a long edit', () => {
    expect(editTitle(edit('1', '2', ''))).toBe('Change `1` to `2` in `src/hours.js`');
    const long = `call(${'argument, '.repeat(20)})`;
    expect(editTitles(edit('x', long))).toEqual(['Fix `paidHours`']);
  });
});
