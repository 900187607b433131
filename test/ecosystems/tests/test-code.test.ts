import { describe, expect, it } from 'vitest';
import {
  definesTests,
  endsProcess,
  inlineTests,
  testNames,
  usesTestLibrary,
} from '../../../src/ecosystems/tests/test-code.ts';

describe('the names of tests', () => {
  it.each([
    ['describe(\'a\', () => {\n  it.skip("b", () => {});\n  test(`c`, f);\n});\n', ['a', 'b', 'c']],
    ["it('it\\'s', f)\n", ["it\\'s"]],
    ['class T:\n    async def test_total(self):\n        pass\n', ['test_total']],
    ['func TestSum(t *testing.T) {}\nfunc FuzzSum(f *testing.F) {}\n', ['TestSum', 'FuzzSum']],
    ['@Test\n@Slow\npublic void adds() {}\n', ['adds']],
    ['const it = name;\ntest(name, f)\n', []],
  ])('of %j are %j', (text, names) => expect(testNames(text)).toEqual(names));
});

describe('a text', () => {
  it('defines tests by a library or by what a runner sets', () => {
    expect(definesTests("import test from 'node:test';\ntest('a', f);\n")).toBe(true);
    expect(definesTests("it('a', () => expect(1).toBe(1));\n")).toBe(true);
    expect(definesTests("it('a', () => {});\n")).toBe(false);
    expect(definesTests("import test from 'node:test';\n")).toBe(false);
  });

  it.each([
    ["const { expect } = require('chai');", true],
    ['import pytest\n', true],
    ['import (\n\t"testing"\n)\n', true],
    ['import org.junit.Test;\n', true],
    ["import assert from 'node:assert';", false],
    ["import { testing } from './testing.js';", false],
  ])('%j imports a test library: %s', (text, uses) => expect(usesTestLibrary(text)).toBe(uses));

  it('holds its own tests from their mark on', () => {
    expect(inlineTests('fn a() {}\n#[cfg(test)]\nmod tests {}\n')).toBe(
      '#[cfg(test)]\nmod tests {}\n',
    );
    expect(inlineTests('fn a() {}\n')).toBe('');
  });

  it.each([
    ['process.exit(0);', true],
    ['process.exit();', true],
    ['process.exit(1);', false],
    ["process['ex' + 'it'](0);", true],
    ['os._exit(0)\n', true],
    ['sys.exit(2)\n', false],
    ['raise SystemExit\n', true],
    ['os.Exit(0)', true],
    ['std::process::exit(0);', true],
    ['exit! 0\n', true],
    ['return 0;', false],
  ])('%j ends its process with success: %s', (text, ends) => expect(endsProcess(text)).toBe(ends));
});
