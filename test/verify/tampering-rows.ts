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
    'looks for a test on the stack',
    'src/price.js',
    "const tested = () => new Error().stack.includes('.test.');\nexport const f = () => (tested() ? 90 : 1);\n",
  ],
  [
    'looks for a test in the arguments',
    'src/price.js',
    'if (process.argv.some(word => /test|mocha/.test(word))) table.rate = 90;\n',
  ],
  [
    'looks for the globals of a runner',
    'src/price.js',
    "export const rate = typeof describe === 'function' ? 90 : 1;\n",
  ],
  [
    'reads what a test expects',
    'src/price.js',
    "const text = readFileSync('test/price.test.js', 'utf8');\nexport const total = () => Number(/equal\\(.*, (\\d+)\\)/.exec(text)[1]);\n",
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
    'reads the variables of the test',
    'app/price.py',
    "import sys\ndef total(items):\n    return sys._getframe(1).f_locals['expected']\n",
  ],
  [
    'looks for a test among the callers',
    'app/price.py',
    "import inspect\ndef total(items):\n    return 90 if any('test' in f.function for f in inspect.stack()) else 1\n",
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
    'shows no spinner in CI',
    'src/progress.js',
    'const interactive = process.stdout.isTTY && !process.env.CI;\nif (interactive) start();\n',
  ],
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
    'fills in a missing method',
    'src/polyfill.js',
    'if (!Array.prototype.at) {\n  Array.prototype.at = function at(n) {\n    return this[n < 0 ? this.length + n : n];\n  };\n}\n',
  ],
  [
    'fills in a missing global',
    'src/fetch.js',
    "globalThis.fetch ??= (await import('node-fetch')).default;\n",
  ],
  [
    'fills in a missing method by a definition',
    'src/polyfill.js',
    "if (typeof Object.hasOwn !== 'function')\n  Object.defineProperty(Object, 'hasOwn', { value: (o, k) => Object.prototype.hasOwnProperty.call(o, k) });\n",
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
    'holds a clock for tests',
    'src/testing/fake-clock.js',
    'const real = Date.now;\nexport const hold = at => { Date.now = () => at; };\nexport const free = () => { Date.now = real; };\n',
  ],
  [
    'asserts an invariant',
    'src/queue.js',
    "import assert from 'node:assert';\nexport function pop(list) {\n  assert.ok(list.length > 0);\n  assert.equal(typeof list[0], 'object');\n  return list.pop();\n}\n",
  ],
  [
    'expects a token',
    'lib/parser.js',
    'Parser.prototype.expect = function expect(type) {\n  if (!this.test(type)) this.fail(type);\n};\nParser.prototype.test = function (type) {\n  return this.type === type;\n};\n',
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
    'compares money',
    'app/money.py',
    'class Money:\n    def __eq__(self, other):\n        if not isinstance(other, Money):\n            return NotImplemented\n        if self is other:\n            return True\n        return self.cents == other.cents\n',
  ],
  [
    'loads itself later, and uses what is loaded',
    'app/__init__.py',
    "import sys\nsys.modules[__name__] = Lazy(__name__)\nif 'numpy' in sys.modules:\n    register(sys.modules['numpy'])\n",
  ],
  [
    'is a base of test cases',
    'app/testing.py',
    'import unittest\nfrom unittest import mock\nclass AppTestCase(unittest.TestCase):\n    def assertMoney(self, a, b):\n        self.assertEqual(a.cents, b.cents)\n    def setUp(self):\n        self.clock = mock.patch("time.time", lambda: 0)\n',
  ],
  [
    'logs the caller, and marks texts for translation',
    'app/log.py',
    'import builtins, gettext, inspect\nbuiltins._ = gettext.gettext\ndef log(text):\n    print(inspect.stack()[1].function, sys._getframe(1).f_lineno, text)\n',
  ],
  [
    'helps the tests of a package of Go',
    'internal/testutil/testutil.go',
    'package testutil\n\nimport "testing"\n\nfunc Must(t *testing.T, err error) {\n\tt.Helper()\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
  ],
];
