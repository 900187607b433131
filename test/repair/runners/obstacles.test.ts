/** What keeps a search for repairs from starting, in the words of the runners. */
import { describe, expect, it } from 'vitest';
import { findObstacle, judgeFlaky } from '../../../src/repair/runners/obstacles.ts';
import type { CaseResult } from '../../../src/repair/runners/test-runner.ts';

const paths = [
  'src/price.js',
  'test/price.test.js',
  'price.py',
  'test_price.py',
  'src/shop/__init__.py',
];
/** A file that did not load, with what its runner said. */
const file = (path: string, message: string): CaseResult => ({
  id: path,
  file: path,
  status: 'failed',
  message,
});
const inCase = (path: string, message: string): CaseResult => ({
  ...file(path, message),
  id: `${path} > works`,
});
const js = 'test/price.test.js';
const py = 'test_price.py';
const obstacleOf = (found: CaseResult | string) =>
  findObstacle(
    typeof found === 'string' ? { cases: [], output: found } : { cases: [found], output: '' },
    paths,
  );

const seen: readonly (readonly [what: string, found: CaseResult | string, name: string])[] = [
  [
    'a package that Node does not find',
    file(
      js,
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/left-pad' imported from /x/src/price.js",
    ),
    'The package "@a/left-pad"',
  ],
  [
    'a package that require does not find',
    file(js, "Error: Cannot find module 'left-pad/x'\nRequire stack:\n- /x/test/price.test.js\n"),
    'The package "left-pad"',
  ],
  [
    'a package that vitest does not find',
    file(
      js,
      'Error: Failed to resolve import "left-pad" from "src/price.js". Does the file exist?',
    ),
    'The package "left-pad"',
  ],
  [
    'a Python package',
    file(py, "    import flask\nE   ModuleNotFoundError: No module named 'flask'"),
    'The package "flask"',
  ],
  ['a Python runner', '/usr/bin/python3: No module named pytest\n', 'The package "pytest"'],
  ['a runner', 'sh: 1: jest: not found\n', 'The test command starts "jest", which'],
];

/** Failures that an edit of the code may repair. */
const repairable: readonly (readonly [what: string, found: CaseResult | string])[] = [
  ['an assertion', inCase(js, 'Expected values to be strictly equal: 2 !== 3')],
  [
    'an import of the code that leads nowhere',
    file(js, "Cannot find module '/x/src/prce.js' imported from /x/src/price.js"),
  ],
  [
    'a submodule that the package lacks',
    file(py, "ModuleNotFoundError: No module named 'shop.cart'"),
  ],
];

describe('obstacles', () => {
  it.each(seen)('name %s', (_, found, name) => {
    expect(obstacleOf(found)).toMatch(/^(.*) is not installed\. Install the packages/);
    expect(obstacleOf(found)).toContain(name);
  });

  it.each(repairable)('are not: %s', (_, found) => {
    expect(obstacleOf(found)).toBeUndefined();
  });

  it('name a case that failed in one of two runs', () => {
    const failed = inCase(js, 'no');
    const passed: CaseResult = { id: failed.id, file: js, status: 'passed' };
    const other: CaseResult = { ...failed, id: 'another' };
    expect(judgeFlaky([failed], [passed])).toEqual({
      stop: expect.stringMatching(/^The test ".* > works" failed in one run/),
    });
    expect(judgeFlaky([failed, other], [passed, other])).toEqual({ flaky: new Set([failed.id]) });
    expect(judgeFlaky([failed], [failed])).toEqual({ flaky: new Set() });
    expect(judgeFlaky([passed], [])).toEqual({ flaky: new Set() });
  });
});
