import { describe, expect, it } from 'vitest';
import { lostTests } from '../../../src/verify/judge/lost-tests.ts';
import { changeOf } from '../changes.ts';

describe('lost tests', () => {
  const two = "test('one', () => {});\nit('the \"second\"', () => {});\n";
  it.each<[string, string, string | undefined, string, readonly string[], boolean]>([
    ['one', two, "test('one', () => {});\n", 'x', ['the "second"'], false],
    [
      'one that the task names',
      two,
      "test('one', () => {});\n",
      'Drop The "second".',
      ['the "second"'],
      true,
    ],
    [
      'a file that the task names',
      two,
      undefined,
      'Delete a.test.js.',
      ['one', 'the "second"'],
      true,
    ],
    ['two, of which the task names one', two, '', 'Drop one.', ['one', 'the "second"'], false],
    ['one of two by one name', "test('a')\ntest('a')\n", "test('a')\n", 'x', ['a'], false],
    ['none', two, `${two}test('three')\n`, 'x', [], false],
    ['of Python', 'def test_a(self):\n    pass\n', 'pass\n', 'x', ['test_a'], false],
    ['of Go', 'func TestA(t *testing.T) {}\n', '\n', 'x', ['TestA'], false],
  ])('%s', (_name, before, after, task, names, requested) =>
    expect(lostTests([changeOf('test/a.test.js', before, after)], task)).toMatchObject({
      names,
      requested,
    }),
  );
  it('not one that moved to another file', () =>
    expect(
      lostTests([changeOf('a.test.js', two, ''), changeOf('b.test.js', undefined, two)], 'x').names,
    ).toEqual([]));
});
