import { describe, expect, it } from 'vitest';
import { openVerifier } from '../../src/verify/verify.ts';
import { has, needs, pytestPython } from '../programs.ts';
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
    expect(message).toContain(
      'The same failures as before: tests/test_total.py::TotalTest::test_many (n=2).',
    );
  },
);

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
