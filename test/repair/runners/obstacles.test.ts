/** What keeps a search for repairs from starting, in the words of the real runners. */
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
const isTest = (path: string) => /(?:^|\/)test/.test(path);

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
    { paths, isTest },
  );

const seen: readonly (readonly [what: string, found: CaseResult | string, expected: RegExp])[] = [
  [
    'a package that Node does not find',
    file(
      js,
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/left-pad' imported from /x/src/price.js",
    ),
    /^The package "@a\/left-pad" is not installed: src\/price\.js imports it\. Install/,
  ],
  [
    'a package that require does not find',
    file(js, "Error: Cannot find module 'left-pad/x'\nRequire stack:\n- /x/test/price.test.js\n"),
    /^The package "left-pad" is not installed: test\/price\.test\.js imports it\./,
  ],
  [
    'a package that jest does not find',
    file(js, "Cannot find module 'left-pad' from 'src/price.js'"),
    /"left-pad" is not installed: src\/price\.js/,
  ],
  [
    'a package that vitest does not find',
    file(
      js,
      'Error: Failed to resolve import "left-pad" from "src/price.js". Does the file exist?',
    ),
    /"left-pad" is not installed: src\/price\.js/,
  ],
  [
    'the output of a build',
    file(js, "Cannot find module '/x/dist/index.js' imported from /x/test/price.test.js"),
    /^The file "dist\/index\.js" does not exist: test\/price\.test\.js imports it\. If a build makes it/,
  ],
  [
    'a Python package',
    file(
      py,
      "test_price.py:1: in <module>\n    import flask\nE   ModuleNotFoundError: No module named 'flask'",
    ),
    /^The Python module "flask" is not installed: test_price\.py needs it\./,
  ],
  [
    'a Python module of the repository that is not on the path',
    file(py, "ModuleNotFoundError: No module named 'shop'"),
    /^Python does not find the module "shop" of the repository \(src\/shop\/__init__\.py\): .*PYTHONPATH/,
  ],
  [
    'a syntax error of Node',
    file(
      js,
      "file:///x/src/price.js:4\n  return sum);\n            ^\n\nSyntaxError: Unexpected token ')'\n    at compile (node:internal/x:3:1)",
    ),
    /^The code has a syntax error at src\/price\.js:4: SyntaxError: Unexpected token '\)'\./,
  ],
  [
    'a syntax error of Babel',
    file(js, 'SyntaxError: /x/src/price.js: Unexpected token (3:5)\n\n  1 | a'),
    /^The code has a syntax error at src\/price\.js:3: /,
  ],
  [
    'a syntax error of Python',
    file(
      py,
      'test_price.py:1: in <module>\n    from price import total\nE     File "/x/price.py", line 5\nE       return s)\nE               ^\nE   SyntaxError: unmatched \')\'',
    ),
    /^The code has a syntax error at price\.py:5: SyntaxError: unmatched '\)'\./,
  ],
  [
    'a host',
    inCase(js, 'fetch failed; caused by: getaddrinfo EAI_AGAIN example.com'),
    /needs the network: getaddrinfo EAI_AGAIN example\.com\./,
  ],
  [
    'a host, in Python',
    inCase(py, 'URLError: <urlopen error [Errno -2] Name or service not known>'),
    /needs the network: Name or service not known\./,
  ],
  [
    'a runner',
    'sh: 1: jest: not found\n',
    /^The test command starts "jest", which is not installed\./,
  ],
  [
    'a Python runner',
    '/usr/bin/python3: No module named pytest\n',
    /starts "pytest", which is not installed/,
  ],
  [
    'a build',
    "src/price.ts(3,5): error TS1005: ';' expected.\n",
    /does not compile, so no test runs: src\/price\.ts:3: error TS1005: ';' expected\./,
  ],
  [
    'ts-jest',
    file(
      js,
      "  \u25cf Test suite failed to run\n\n    src/cart.ts:3:7 - error TS2322: Type 'number' is not assignable to type 'string'.\n\n    3   let sum",
    ),
    /does not compile, so no test runs: src\/cart\.ts:3: error TS2322: Type 'number' is not/,
  ],
  [
    'ts-node',
    " Exception during run: src/cart.ts(3,7): error TS2322: Type 'number' is not assignable to type 'string'.\nsrc/cart.ts(7,10): error TS2362: x\n",
    /does not compile, so no test runs: src\/cart\.ts:3: error TS2322: Type 'number' is not/,
  ],
];

/** Failures that an edit of the code may repair. */
const repairable: readonly (readonly [what: string, found: CaseResult | string])[] = [
  ['an assertion', inCase(js, 'Expected values to be strictly equal: 2 !== 3')],
  [
    'a syntax error that the program throws',
    inCase(js, 'SyntaxError: Unexpected token } in JSON at position 3'),
  ],
  [
    'an import of the code that leads nowhere',
    file(js, "Cannot find module '/x/src/prce.js' imported from /x/src/price.js"),
  ],
  [
    'a name that a module does not export',
    file(js, "SyntaxError: The requested module './a.js' does not provide an export named 'b'"),
  ],
  [
    'a submodule that the package lacks',
    file(py, "ModuleNotFoundError: No module named 'shop.cart'"),
  ],
  ['an address made of nothing', inCase(js, 'getaddrinfo ENOTFOUND undefined')],
  ['a server of the code that does not listen', inCase(js, 'connect ECONNREFUSED 127.0.0.1:3000')],
];

describe('obstacles', () => {
  it.each(seen)('name %s', (_, found, expected) => {
    expect(obstacleOf(found)).toMatch(expected);
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
