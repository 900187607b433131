/** Literal replacements and their counts. */
import { expect, it } from 'vitest';
import { replaceLiterals } from '../../../src/workspace/text/replace-literal.ts';

it.each([
  ['every place', 'a.b a.b', [{ old: 'a.b', new: '$&' }], '$& $&', [2]],
  ['none', 'axb', [{ old: 'a.b', new: 'c' }], 'axb', [0]],
  ['places that do not overlap', 'aaa', [{ old: 'aa', new: 'b' }], 'ba', [1]],
  ['several lines, in either line end', 'a\nb\nc', [{ old: 'a\r\nb\r\n', new: '' }], 'c', [1]],
  [
    'one after another',
    'a b',
    [
      { old: 'a', new: 'b' },
      { old: 'b', new: 'c' },
    ],
    'c c',
    [1, 2],
  ],
])('replaces %s', (_, text, replacements, after, counts) => {
  expect(replaceLiterals(text, replacements)).toEqual({ text: after, counts });
});
