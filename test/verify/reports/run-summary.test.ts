import { describe, expect, it } from 'vitest';
import { filesWithoutCases, readSummaries } from '../../../src/verify/reports/run-summary.ts';

describe('summaries of runners', () => {
  it.each<[string, string, string, number, number]>([
    [
      'node:test',
      'node:test',
      'ℹ tests 4\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\n',
      3,
      2,
    ],
    [
      'node:test as TAP',
      'node:test',
      '# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n',
      2,
      1,
    ],
    [
      'vitest',
      'vitest',
      ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 3 skipped (6)\n',
      3,
      1,
    ],
    [
      'vitest in colours',
      'vitest',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m2 passed\u001b[39m\u001b[22m\u001b[90m (2)\u001b[39m\n',
      2,
      0,
    ],
    [
      'jest',
      'jest',
      'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n',
      3,
      1,
    ],
    ['mocha', 'mocha', '  2 passing (5ms)\n  1 pending\n  1 failing\n', 3, 1],
    ['pytest', 'pytest', '=== 1 failed, 2 passed, 1 skipped in 0.71s ===\n', 3, 1],
    ['pytest, quiet', 'pytest', '2 passed in 0.01s\n', 2, 0],
    [
      'unittest',
      'unittest',
      'Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n',
      3,
      2,
    ],
    ['cargo', 'cargo', 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n', 2, 1],
    ['maven', 'maven', '[INFO] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n', 3, 2],
    ['rspec', 'rspec', '3 examples, 1 failure, 1 pending\n', 2, 1],
    ['minitest', 'minitest', '3 runs, 5 assertions, 1 failures, 1 errors, 1 skips\n', 2, 2],
  ])('%s', (_name, runner, output, ran, failed) =>
    expect(readSummaries(output)).toEqual([{ runner, ran, failed }]),
  );

  it.each([
    [
      'a file of node:test',
      '✔ one (1ms)\n✖ test/a.test.js (3ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n',
      1,
    ],
    [
      'a file of node:test as TAP',
      'ok 1 - one\nnot ok 2 - test/a.test.js\n# tests 2\n# pass 1\n# fail 1\n',
      1,
    ],
    [
      'a hook of mocha',
      '  ✔ one\n  1) "after all" hook for "one"\n\n  1 passing (5ms)\n  1 failing\n',
      1,
    ],
    ['a fixture of pytest', '2 passed, 1 error in 0.1s\n', 2],
  ])('a failure that is no case is not counted as one: %s', (_name, output, ran) =>
    expect(readSummaries(output)).toMatchObject([{ ran, failed: 1 }]),
  );

  it('output of the program is not a summary', () => {
    const said = 'tests 2\n2 passed\nTests are fine\nRan away in 2s\n12 passing cars\nOK\n';
    expect(readSummaries(said)).toEqual([]);
  });

  it('an error of pytest is a failure', () =>
    expect(readSummaries('== 1 error in 0.1s ==\n')).toMatchObject([{ ran: 0, failed: 1 }]));

  it('one after another', () =>
    expect(
      readSummaries('  2 passing (5ms)\n\nRan 1 test in 0.1s\n\nOK\n').map(s => s.runner),
    ).toEqual(['mocha', 'unittest']));

  it('files that node:test reports as one passed case', () => {
    const output =
      '✔ test/a.test.js (40.4ms)\n✔ adds a.js (1ms)\n✖ test/b.test.js (3ms)\nok 3 - c.test.mjs\n  ✔ d.js (1ms)\n';
    expect(filesWithoutCases(output)).toEqual(['test/a.test.js', 'c.test.mjs']);
  });
});
