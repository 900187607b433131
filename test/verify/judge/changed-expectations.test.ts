/** What a patch changes in what tests expect, old and new, from the files alone. */
import { expect, it } from 'vitest';
import {
  changedExpectations,
  describeExpectations,
} from '../../../src/verify/judge/changed-expectations.ts';
import { changeOf } from '../changes.ts';

const before =
  "test('adds', () => {\n  is(add(1), 2);\n});\ntest('halves', () => {\n  is(half(4), 2);\n});\n";
const after = before.replace('add(1), 2', 'add(1), 3').replace('  is(half(4), 2);\n', '');

it('names the test, the old lines and the new ones', () => {
  expect(changedExpectations([changeOf('a.test.js', before, after)], [])).toEqual([
    { path: 'a.test.js', test: 'adds', before: 'is(add(1), 2);', after: 'is(add(1), 3);' },
    { path: 'a.test.js', test: 'halves', before: 'is(half(4), 2);', after: '' },
  ]);
});

it('names only the cases that fail, where they can be told', () => {
  const found = (failing: readonly string[]) =>
    changedExpectations([changeOf('a.test.js', before, after)], failing).map(e => e.test);
  expect(found(['sums > halves'])).toEqual(['halves']);
  expect(found(['a.test.js'])).toEqual(['adds', 'halves']);
});

it('finds none where lines are only added', () => {
  expect(
    changedExpectations([changeOf('a.test.js', before, `${before}test('x', f);\n`)], []),
  ).toEqual([]);
  expect(changedExpectations([changeOf('b.test.js', undefined, before)], [])).toEqual([]);
});

it('describes each in one line', () => {
  const python = ['def test_a():\n    assert a() == 1\n', 'def test_a():\n    assert a() == 2\n'];
  const [old, now] = python;
  expect(describeExpectations(changedExpectations([changeOf('test_a.py', old, now)], []))).toBe(
    'test_a: assert a() == 1 ► assert a() == 2',
  );
});
