import { describe, expect, it } from 'vitest';
import { python } from '../../../src/ecosystems/python/index.ts';
import { readOutput } from '../../../src/verify/reports/parse-report.ts';
import { countCases } from '../project.ts';

describe('the sections of a configuration', () => {
  const pick = python.influence?.sections?.['setup.cfg'] ?? String;

  it('are those whose heading matches, whole', () => {
    const text = '[metadata]\nname = a\n[tool:pytest]\naddopts = -q\nx = [1]\n[flake8]\nmax = 1\n';
    expect(pick(text)).toBe('[tool:pytest]\naddopts = -q\nx = [1]\n');
  });

  it('are none where no heading matches', () => {
    expect(pick('# [pytest] in a comment\n[other]\n')).toBe('');
  });
});

describe('what pytest and unittest count', () => {
  countCases([
    ['545 passed, 20 skipped, 1452 subtests passed in 3.10s\n', 'pytest: 545 ran, 0 failed'],
    ['= 2 passed, 1 subtests failed in 0.10s =\n', 'pytest: 2 ran, 1 failed'],
    ['SUBFAILED(i=2) t.py::x - 1\n1 failed, 2 passed in 0.3s\n', 'pytest: 2 ran, 1 failed'],
    ['1 failed, 2 passed, 1 xpassed, 3 rerun, 1 error in 0.35s\n', 'pytest: 3 ran, 2 failed'],
    ['4 passed, 2 snapshots updated, 1 xfailed in 1.20s (0:00:01)\n', 'pytest: 4 ran, 0 failed'],
    ['Ran 3 tests in 0.1s\n\nOK (expected failures=2)\n', 'unittest: 3 ran, 0 failed'],
    ['Ran 3 tests in 0.1s\n\nFAILED (unexpected successes=1)\n', 'unittest: 3 ran, 1 failed'],
  ]);

  it('names a subtest that fails', () => {
    const summary =
      'SUBFAILED(i=2, j=3) t.py::T::test_sub - AssertionError: 2 == 2\nSUBFAILED[named] (i=1) t.py::test_x - assert 1\nFAILED t.py::test_x - contains 1 failed subtest\n3 failed, 2 passed, 8 subtests passed in 0.35s\n';
    expect(readOutput(summary).failures).toEqual([
      't.py::T::test_sub (i=2, j=3)',
      't.py::test_x [named] (i=1)',
      't.py::test_x',
    ]);
    const unexpected =
      '===\nUNEXPECTED SUCCESS: test_x (t.T.test_x)\nRan 1 test in 0.1s\n\nFAILED (unexpected successes=1)\n';
    expect(readOutput(unexpected).failures).toEqual(['test_x (t.T.test_x)']);
  });
});
