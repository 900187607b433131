import { describe, expect, it } from 'vitest';
import { openVerifier } from '../../src/verify/verify.ts';
import { has, needs, pytestPython } from '../programs.ts';
import { playsVariants } from '../seed.ts';
import { runOptions } from './changes.ts';
import { verify } from './real-runs.ts';

const suite =
  'import unittest\nfrom shop import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_many(self):\n        for n in range(3):\n            with self.subTest(n=n):\n                self.assertEqual(total([n, 1]), n + 1)\n\n    def test_none(self):\n        self.assertEqual(total([]), 0)\n\n    def test_zero(self):\n        self.assertEqual(total([0]), 0)\n\n    def test_one_zero(self):\n        self.assertEqual(total([0, 0]), 0)\n';

it.runIf(has('pytest'))(
  `a suite of subtests is counted, and names the one that fails ${needs('pytest')}`,
  async () => {
    const files = { 'shop.py': 'def total(prices):\n    return 0\n', 'tests/test_total.py': suite };
    const command = `${pytestPython()} -m pytest -q`;
    const patched = (body: string) =>
      verify(files, { 'shop.py': `def total(prices):\n    return ${body}\n` }, command);
    const { verification } = await patched('sum(prices)');
    expect(verification).toMatchObject({ passed: true, warnings: [] });
    expect(verification.unjudged).toBeUndefined();
    const { message } = await patched('sum(prices) if prices != [2, 1] else 7');
    // before version 9, pytest names no subtest
    expect(message).toMatch(
      /The same failures as before: tests\/test_total\.py::TotalTest::test_many(?: \(n=2\))?\./,
    );
  },
);

const cases = (...bodies: string[]) =>
  [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { half, ships, total } from '../src/shop.js';",
    ...bodies,
    '',
  ].join('\n');
const shop = {
  'package.json': '{"type":"module"}\n',
  'src/shop.js':
    'export const total = prices => prices.length;\nexport const half = n => n / 2;\nexport const ships = () => true;\n',
  'test/shop.test.js': cases(
    "test('half', () => assert.equal(half(4), 2));",
    "test('all', async t => {\n  await t.test('one', () => assert.equal(total([1]), 1));\n  assert.equal(ships(), true);\n});",
  ),
};
const known = {
  ...shop,
  'test/known.test.js': cases("test('known', () => assert.equal(half(4), 3));"),
};
const report = 'report.xml';
const junit = `node --test --test-reporter=junit --test-reporter-destination=${report} --test-reporter=spec --test-reporter-destination=stdout`;
const covered = `${junit} --experimental-test-coverage --test-coverage-functions=100`;
const stopsShipping = { 'src/shop.js': shop['src/shop.js'].replace('true', 'false') };
const brings = (body: string) => ({ 'test/new.test.js': cases(body) });
const failing = brings("test('new', () => assert.equal(half(4), 5));");
const unloaded = brings("throw new Error('not ready');");
const uncovered = {
  'src/shop.js': `${shop['src/shop.js']}export const unused = () => {\n  return 1;\n};\n`,
};

const modes = ['no-regression', ...(playsVariants ? (['pass'] as const) : [])] as const;
describe.each(modes)('whatever a report says, with %s', require => {
  it.each([
    ['an assertion of a parent, which the report leaves out, breaks', shop, stopsShipping, junit],
    ['a new test fails', shop, failing, junit],
    ['a new file does not load', shop, unloaded, junit],
    ['the coverage falls below its threshold', shop, uncovered, covered],
    ['a parent breaks while another case fails anyway', known, stopsShipping, junit],
    ['a new test fails while another case fails anyway', known, failing, junit],
    ['a new file does not load while another case fails anyway', known, unloaded, junit],
  ])('%s: the patch fails', async (_, files, patch, command) => {
    const { verification } = await verify(files, patch, { command, report, require });
    expect(verification).toMatchObject({ passed: false, code: 'VERIFY_FAILED' });
    expect(verification.warnings).toEqual([]);
  });

  it('a case that fails anyway fails no patch', async () => {
    const patch = { 'src/shop.js': shop['src/shop.js'].replace('n / 2', 'n * 0.5') };
    const { verification } = await verify(known, patch, { command: junit, report, require });
    expect(verification).toMatchObject({ passed: true });
  });
});

it('a failure that no case explains any more fails a patch', async () => {
  const patch = {
    ...uncovered,
    'test/known.test.js': cases("test('known', () => assert.equal(half(4), 2));"),
  };
  const given = { command: covered, report, require: 'no-regression' as const };
  const { verification } = await verify(known, patch, given);
  expect(verification).toMatchObject({ passed: false, code: 'VERIFY_FAILED' });
});

describe('a command that never ran', () => {
  it.each([
    ['mount: /x: No space left on device.\n', 'DISK'],
    ['bwrap: setting up uid map: Permission denied\n', 'SANDBOX_UNAVAILABLE'],
  ])('is no failed test: %s', async (output, code) => {
    const end = {
      began: false,
      exitCode: 125,
      signal: undefined,
      limit: undefined,
      cancelled: false,
      output,
      outputBytes: 1,
      truncated: false,
      durationMs: 1,
      refusedConnections: undefined,
    };
    const verifier = openVerifier({
      ...runOptions,
      command: 'npm test',
      setUpFiles: undefined,
      require: 'pass',
      testChanges: 'allow',
      open: async () => ({ sandbox: { run: async () => end }, view: { close: () => {} } }),
    } as unknown as Parameters<typeof openVerifier>[0]);
    await expect(verifier.verify([], 'digest')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(output.trim()),
    });
  });
});
