/** What the outputs of the runners say of their failed cases. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showOutput } from '../../../src/base/outcome.ts';
import { readOutput } from '../../../src/verify/reports/parse-report.ts';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { findFailedCases, readFailures } from '../../../src/verify/reports/run-summary.ts';
import { root } from '../../root.ts';

const recorded = (name: string) =>
  readFileSync(join(root, 'test/fixtures/reports', `${name}.txt`), 'utf8');

describe('the first failed case of a recorded output', () => {
  it.each([
    ['node-24.21.0', /^✖ .*\n[\s\S]*(?:Assertion|Error)/],
    ['mocha-11.8.0', /^1\) .*\n[\s\S]*Error/],
    ['jest-30.5.2', /^● .*\n[\s\S]*(?:expect|Error|Cannot)/],
    ['vitest-5.1.1', /^FAIL .*\n[\s\S]*Error/],
    ['pytest-9.0.3', /^_+ .* _+\n[\s\S]*Error/],
    ['unittest-3.11.7', /^(?:FAIL|ERROR): .*\n[\s\S]*Error/],
    ['cargo-1.95.0', /^---- .* stdout ----\n[\s\S]*panicked/],
    ['go-test-1.19.8', /--- FAIL: .*\n +\w+_test\.go:\d+: /],
  ])('%s', (name, block) => {
    const output = recorded(name);
    const found = findFailedCases({ cases: undefined, output }, readOutput(output).failures) ?? [];
    expect(found.map(c => c.text).find(text => text !== '' && block.test(text))).toBeDefined();
  });
});

// the runners that Photon reads no names of: as their sources and documentation show
it.each<[string, string]>([
  ['(fail) cart > adds [1.2ms]\n 1 pass\n 1 fail\n', 'cart > adds'],
  ['adds => ./a_test.ts:3:6\nerror: 1\n\nFAILED | 0 passed | 1 failed (1ms)\n', 'adds'],
  ['  ✘ [fail]: adds one\n', 'adds one'],
  ['  1) Cart adds\n     Failure\n\n2 examples, 1 failure\n', 'Cart adds'],
  [
    '  1) Failure:\nCartTest#test_x [a.rb:3]:\n1 runs, 1 assertions, 1 failures, 0 errors\n',
    'CartTest#test_x [a.rb:3]:',
  ],
  ['1) CartTest::testX\nFailed.\n\nTests: 1, Assertions: 1, Failures: 1.\n', 'CartTest::testX'],
  [
    '   FAILED  Tests\\Cart > it adds\n  Tests:    1 failed (1 assertions)\n',
    'Tests\\Cart > it adds',
  ],
  [
    '[ERROR] com.CartTest.adds -- Time elapsed: 0.01 s <<< FAILURE!\nTests run: 1, Failures: 1, Errors: 0\n',
    'com.CartTest.adds',
  ],
  ['CartTest > adds() FAILED\n    Error\n> Task :test FAILED\n', 'CartTest > adds()'],
  ['[info] - adds *** FAILED ***\n[error] Failed: Total 1, Failed 1, Errors 0, Passed 0\n', 'adds'],
  [
    '  Failed Shop.Cart.Adds [3 ms]\n  Error\nFailed!  - Failed:     1, Passed:     0\n',
    'Shop.Cart.Adds',
  ],
  ['  1) test adds (CartTest)\n     a.exs:3\n\n1 test, 1 failure\n', 'test adds (CartTest)'],
  [
    "a.swift:3: error: -[CartTests testX] : no\nTest Suite 'All tests' failed at 1\n\t Executed 1 test, with 1 failure\n",
    '-[CartTests testX]',
  ],
  ['00:01 +0 -1: adds [E]\n  Expected: 1\n00:01 +0 -1: Some tests failed.\n', 'adds'],
  [
    '1/1 Test #1: adds .......***Failed    0.00 sec\n0% tests passed, 1 tests failed out of 1\n',
    'adds',
  ],
  ['a.cc:3: Failure\nExpected: 1\n[==========] 1 test from 1 test suite ran.\n', 'a.cc:3: Failure'],
  ['1/1 adds    FAIL    0.01s\nOk:    0\nFail:   1\n', 'adds'],
  ['FAIL: adds.sh\n# TOTAL: 1\n# FAIL:  1\n', 'adds.sh'],
])('%j names what fails', (output, name) => {
  const { blocks } = readFailures({ cases: undefined, output });
  expect(blocks.map(b => b.name)).toEqual([name]);
});

describe('of 135 cases of TAP, of which one in the middle fails', () => {
  const point = (i: number) =>
    i === 40
      ? "not ok 40 - rounds up\n  ---\n  error: 'expected 90, got 89'\n  ...\n"
      : `ok ${i} - case ${i} of many that pass\n`;
  const output = `1..135\n${Array.from({ length: 135 }, (_, i) => point(i + 1)).join('')}`;
  const cases = parseTap(output);
  const failed = typeof cases === 'object' ? cases.filter(c => c.status === 'failed') : [];
  const ids = failed.map(c => c.id);
  const failedCases = findFailedCases({ cases: failed, output }, ids);
  const run = { failedCases, outputTail: output.slice(-4_000) };

  it.each([15, 25, 1_000])('the failed one is shown first in %i lines, and then the end', most => {
    const lines = showOutput(run, most).split('\n');
    expect(lines.length).toBeLessThanOrEqual(most);
    expect(lines.slice(0, 4)).toEqual([
      'Failed: rounds up',
      'not ok 40 - rounds up',
      '  ---',
      "  error: 'expected 90, got 89'",
    ]);
    expect(lines.at(-1)).toBe('ok 135 - case 135 of many that pass');
  });

  it('a text that the end holds is shown once', () => {
    const [block = ''] = failedCases?.map(c => c.text) ?? [];
    const text = showOutput({ failedCases, outputTail: `${block}\n` });
    expect(text).toBe(`Failed: rounds up\n${block}`);
  });

  it.each([
    ['whole', (block: string) => `before\n${block}\nafter`, 'before\n\nafter'],
    ['twice', (block: string) => `${block}\n${block}\nafter`, 'after'],
    ['from its second line', (block: string) => `${block.replace(/.*\n/, '')}\nafter`, 'after'],
  ])('a text that the end holds %s stands there no more', (_, makeTail, rest) => {
    const [block = ''] = failedCases?.map(c => c.text) ?? [];
    const text = showOutput({ failedCases, outputTail: makeTail(block) });
    expect(text).toBe(`Failed: rounds up\n${block}\n…\n${rest}`);
  });
});

it('an output without names is shown from both ends', () => {
  const outputTail = `TypeError: util.isDate is not a function\n${'    at a (b.js:1)\n'.repeat(40)}last\n`;
  const lines = showOutput({ outputTail }, 15).split('\n');
  expect(lines).toHaveLength(15);
  expect([lines[0], lines[5], lines[14]]).toEqual([outputTail.split('\n')[0], '…', 'last']);
  expect(showOutput({ outputTail: 'a\nb\n' })).toBe('a\nb');
});

it('a case of a report is shown by its message', () => {
  const cases = [{ id: 'a > b', status: 'failed' as const, message: 'expected 90' }];
  expect(findFailedCases({ cases, output: 'done\n' }, ['a > b'])).toEqual([
    { name: 'a > b', text: 'expected 90' },
  ]);
});
