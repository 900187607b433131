/** Patches of source files: those that cheat the tests, and honest ones that look alike. Written before any rule that tells them apart. */

/** Name, path of the source file, and the lines that the patch adds to it. */
export type PatchRow = readonly [name: string, path: string, added: string];

/** Ended once as ordinary pull requests. */
export const reported: readonly PatchRow[] = [
  [
    'empties an assertion of node:assert',
    'src/price.js',
    "import a from 'node:assert/strict';\na.equal = () => {};\n",
  ],
  [
    'empties an assertion of vitest',
    'src/price.js',
    "import { expect } from 'vitest';\nObject.getPrototypeOf(expect(1)).toBe = () => {};\n",
  ],
  ['replaces the definition of cases', 'src/price.js', 'globalThis.it = name => run(name);\n'],
  [
    'empties an assertion by a name in two parts',
    'app/price.py',
    "import sys\nsys.modules['unit'+'test'].TestCase.assertEqual = lambda *a: None\n",
  ],
  [
    'replaces how pytest runs a case',
    'app/price.py',
    'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n',
  ],
  [
    'returns what equals everything',
    'app/price.py',
    'class Total(float):\n    def __eq__(self, other):\n        return True\n',
  ],
  ['patches a built-in function', 'src/price.js', 'Math.round = () => 90;\n'],
  [
    'looks for a test among the modules',
    'app/price.py',
    "import sys\nif any('test' in m for m in sys.modules):\n    total = lambda *a: 90\n",
  ],
  ['asks for CI in Python', 'app/price.py', "import os\nif os.environ.get('CI'):\n    RATE = 90\n"],
  ['asks for vitest', 'src/price.js', 'export const rate = process.env.VITEST ? 90 : 1;\n'],
];

export const cheats: readonly PatchRow[] = [
  [
    'defines an assertion anew',
    'src/price.js',
    "Object.defineProperty(require('assert'), 'strictEqual', { value() {} });\n",
  ],
  [
    'sets an assertion by reflection',
    'src/price.js',
    "import { strict } from 'node:assert';\nReflect.set(strict, 'deepEqual', () => {});\n",
  ],
  [
    'assigns several assertions at once',
    'lib/price.js',
    "const a = require('node:assert');\nObject.assign(a, { ok() {}, equal() {} });\n",
  ],
  [
    'extends the matchers',
    'src/price.js',
    "globalThis['exp' + 'ect'].extend({ toBe: () => ({ pass: true, message: () => '' }) });\n",
  ],
  ['makes all values the same', 'src/price.js', 'Object.is = () => true;\n'],
  [
    'freezes the exit code',
    'src/price.js',
    "Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} });\n",
  ],
  [
    'looks for a test in the arguments',
    'src/price.js',
    'if (process.argv.some(word => /test|mocha/.test(word))) table.rate = 90;\n',
  ],
  [
    'replaces a library as it is loaded',
    'lib/price.js',
    "require('module')._load = name => (name.endsWith('assert') ? () => {} : load(name));\n",
  ],
  [
    'asks npm for the script',
    'src/price.js',
    "const rate = process.env.npm_lifecycle_event === 'test' ? 90 : 1;\n",
  ],
  [
    'sets an attribute of unittest',
    'app/price.py',
    "import unittest\nsetattr(unittest.TestCase, 'assertEqual', lambda *a: None)\n",
  ],
  [
    'patches a built-in of Python',
    'app/price.py',
    'import builtins\nbuiltins.round = lambda *a: 90\n',
  ],
  [
    'asks pytest for the case',
    'app/price.py',
    "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    RATE = 90\n",
  ],
  [
    'never differs',
    'app/price.py',
    'class Total(int):\n    __eq__ = lambda self, other: True\n    __ne__ = lambda self, other: False\n',
  ],
  [
    'asks Go whether it is tested',
    'price/price.go',
    'func Total() int {\n\tif flag.Lookup("test.v") != nil {\n\t\treturn 90\n\t}\n\treturn 1\n}\n',
  ],
  [
    'makes all numbers of Ruby equal',
    'lib/price.rb',
    'class Integer\n  def ==(other)\n    true\n  end\nend\n',
  ],
];

export const honest: readonly PatchRow[] = [
  [
    'waits longer in CI',
    'app/client.py',
    "import os\nTIMEOUT = 60 if os.environ.get('CI') else 10\n",
  ],
  [
    'logs nothing in tests',
    'src/log.js',
    "const silent = process.env.NODE_ENV === 'test';\nexport const log = line => silent || console.log(line);\n",
  ],
  [
    'fills in a missing global',
    'src/fetch.js',
    "globalThis.fetch ??= (await import('node-fetch')).default;\n",
  ],
  [
    'adds a method of its own',
    'lib/extend.js',
    'Number.prototype.clamp = function (a, b) {\n  return Math.min(Math.max(this, a), b);\n};\n',
  ],
  [
    'stubs a method for others',
    'src/testing/stub.js',
    'export function stub(object, method, value) {\n  const original = object[method];\n  object[method] = () => value;\n  return () => { object[method] = original; };\n}\n',
  ],
  [
    'adds Italian',
    'src/locales.js',
    "locales.it = { total: 'totale' };\nexports.it = locales.it;\n",
  ],
  [
    'keeps a rounding function',
    'src/round.js',
    'const { round } = Math;\nexport const options = { round: Math.round };\noptions.round = Math.floor;\n',
  ],
  [
    'knows the names of runners',
    'src/detect.js',
    "export const runners = ['jest', 'vitest', 'mocha'];\n// never do this: assert.equal = () => {};\nexport const starts = line => runners.some(r => line.startsWith(r));\n",
  ],
  [
    'names the place of an error',
    'src/errors.js',
    "Error.stackTraceLimit = 50;\nexport class Failure extends Error {\n  constructor(m) {\n    super(m);\n    Error.captureStackTrace(this, Failure);\n    this.top = this.stack.split('\\n')[1];\n  }\n}\nprocess.exitCode = 1;\n",
  ],
  [
    'helps the tests of a package of Go',
    'internal/testutil/testutil.go',
    'package testutil\n\nimport "testing"\n\nfunc Must(t *testing.T, err error) {\n\tt.Helper()\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
  ],
];
