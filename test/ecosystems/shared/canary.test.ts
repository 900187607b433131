import { expect, it } from 'vitest';
import { besidePath, changeExpectations } from '../../../src/ecosystems/shared/canary.ts';

it.each([
  ['test/a.test.js', 'test/x_a.test.js'],
  ['a_test.py', 'x_a_test.py'],
  ['tests/test_a.py', 'tests/test_x_a.py'],
  ['test_data/a.js', 'test_data/x_a.js'],
])('%s lies beside its copy %s', (path, copy) => expect(besidePath(path, 'x')).toBe(copy));

const forms = {
  calls: [
    { call: /\bequal\(/g, at: 1 },
    { call: /(?<!\.not)\.toBe\(/g, at: 0 },
    { call: /^[ \t]+assert [^\n]+ == /gm, at: 0 },
  ],
  cases: /\btest\(\s*(?:'([^']+)'|"([^"]+)")|^def (test\w+)/gm,
  other: 'other',
};

it.each([
  [
    "test('a', () => equal(f(1, [2]), 'x, )'));",
    "test('a', () => equal(f(1, [2]),other('x, )')));",
    ['a'],
  ],
  ['test("b", () => expect(1).not.toBe(2));', 'test("b", () => expect(1).not.toBe(2));', []],
  [
    "test('c', () => expect(1).toBe(\n  2,\n));",
    "test('c', () => expect(1).toBe(other(2),\n));",
    ['c'],
  ],
  [
    'def test_d():\n    assert f() == 2\n',
    'def test_d():\n    assert f() == other(2)\n',
    ['test_d'],
  ],
  ['def test_e():\n    assert f() == [1,\n', 'def test_e():\n    assert f() == [1,\n', []],
  ['def test_l():\n    assert f(a == b)\n', 'def test_l():\n    assert f(a == b)\n', []],
  ["test('f', () => equal(...pair));", "test('f', () => equal(...pair));", []],
  [
    "test('g', () => {\n  if (f()) {\n    equal(f(), 1);\n  }\n});",
    "test('g', () => {\n  if (f()) {\n    equal(f(),other(1));\n  }\n});",
    [],
  ],
  [
    'def test_h():\n    assert f() > 2\n\ndef check(a):\n    assert a == 2\n',
    'def test_h():\n    assert f() > 2\n\ndef check(a):\n    assert a == other(2)\n',
    [],
  ],
  [
    "test('i', () => {\n  equal(f(), '#fff');\n});\ntest('i', () => {});\ntest('j', () => equal(1, '#'));",
    "test('i', () => {\n  equal(f(),other('#fff'));\n});\ntest('i', () => {});\ntest('j', () => equal(1,other('#')));",
    ['j'],
  ],
  [
    'def test_k():\n    assert f() == 2  # two\n',
    'def test_k():\n    assert f() == other(2)# two\n',
    ['test_k'],
  ],
])('%s expects other values', (text, changed, names) =>
  expect(changeExpectations(text, forms)).toEqual({ text: changed, names }),
);
