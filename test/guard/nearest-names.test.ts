/** Names that somebody who mistyped one may have meant. */
import { expect, it } from 'vitest';
import { nearestNames, nearestPaths } from '../../src/guard/nearest-names.ts';

const names = ['code-modify', 'code-review', 'test-repair', 'docs', 'dogs'];

it.each([
  ['code_modify', ['code-modify']],
  ['CODE-REVIEW', ['code-review']],
  ['doc', ['docs', 'dogs']],
  ['dgos', ['dogs', 'docs']],
  ['something else', []],
  ['x'.repeat(100_000), []],
])('%.20s may be %j', (typed, expected) => {
  expect(nearestNames(typed, names)).toEqual(expected);
});

it('at most as many as asked for, the nearest first, then by name', () => {
  expect(nearestNames('aaaa', ['aaac', 'aaaa', 'aaab', 'aabb'], 3)).toEqual([
    'aaaa',
    'aaab',
    'aaac',
  ]);
});

it('a missing path may mean a file of its name elsewhere, or one of a similar name', () => {
  const paths = [
    'src/price.js',
    'test/price.test.js',
    'lib/Price.js',
    'src/prices.js',
    'README.md',
  ];
  expect(nearestPaths('app/price.js', paths)).toEqual([
    'src/price.js',
    'lib/Price.js',
    'src/prices.js',
  ]);
  expect(nearestPaths('src/pricse.js', paths, 1)).toEqual(['src/price.js']);
  expect(nearestPaths('docs/usage.md', paths)).toEqual([]);
});

it('of files with one name, the one whose path ends as it was asked for comes first', () => {
  const paths = ['a/x/mod.rs', 'b/x/mod.rs', 'c/x/mod.rs', 'crates/core/src/parse/mod.rs'];
  expect(nearestPaths('src/parse/mod.rs', paths, 2)).toEqual([
    'crates/core/src/parse/mod.rs',
    'a/x/mod.rs',
  ]);
});
