/** Names that somebody who mistyped one may have meant. */
import { expect, it } from 'vitest';
import { nearestNames } from '../../src/guard/nearest-names.ts';

const names = ['code-modify', 'code-review', 'test-repair', 'docs', 'dogs'];

it.each([
  ['code_modify', ['code-modify']],
  ['CODE-REVIEW', ['code-review']],
  ['doc', ['docs', 'dogs']],
  ['dgos', ['docs', 'dogs']],
  ['something else', []],
  ['x'.repeat(100_000), []],
])('%.20s may be %j', (typed, expected) => {
  expect(nearestNames(typed, names)).toEqual(expected);
});

it('at most as many as asked for, the nearest first, then by name', () => {
  expect(nearestNames('aaa', ['aac', 'aaa', 'aab', 'abb'], 3)).toEqual(['aaa', 'aab', 'aac']);
});
