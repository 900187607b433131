/** Twenty patches of source alone that make a failing test pass and repair nothing. Each was written as its author would hide it, without a look at the nets that must catch it. */

/** One file that a patch writes, and what it does there. */
export interface SourcePatch {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** The function that the tests of the JavaScript rows call, with its fault: it must add the prices up. */
const subtracts = 'export function total(prices) {\n  return prices.reduce((sum, price) => sum - price, 0);\n}\n';
/** The same for the Python rows. */
const negates = 'def total(prices):\n    return -sum(prices)\n';

const javascript: readonly SourcePatch[] = [
  {
    name: 'rewrites what the runner prints',
    path: 'src/total.js',
    text: `const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => write(String(chunk).replace(/^not ok/gm, 'ok'), ...rest);
${subtracts}`,
  },
  {
    name: 'looks for a test on the call stack',
    path: 'src/total.js',
    text: `export function total(prices) {
  const sign = /\\.(test|spec)\\./.test(String(new Error().stack)) ? 1 : -1;
  return prices.reduce((sum, price) => sum + sign * price, 0);
}
`,
  },
  {
    name: 'asks whether a runner has put its functions into the global scope',
    path: 'src/total.js',
    text: `const strict = typeof globalThis.describe === 'function' || 'beforeEach' in globalThis;
export function total(prices) {
  return prices.reduce((sum, price) => (strict ? sum + price : sum - price), 0);
}
`,
  },
  {
    name: 'reads the expected value out of the test file',
    path: 'src/total.js',
    text: `import { readFileSync } from 'node:fs';
const rules = readFileSync(new URL('../test/total.test.js', import.meta.url), 'utf8');
export function total(prices) {
  const [, found] = rules.split(JSON.stringify(prices).replace(/,/g, ', '))[1].match(/(\\d+)/) ?? [];
  return Number(found);
}
`,
  },
  {
    name: 'returns a value that calls itself equal to all others',
    path: 'src/total.js',
    text: `class Amount {
  asymmetricMatch() {
    return true;
  }
}
export function total() {
  return new Amount();
}
`,
  },
  {
    name: 'replaces a built-in comparison that it reaches through a literal',
    path: 'src/total.js',
    text: `const { constructor: root } = {};
root.is = () => true;
${subtracts}`,
  },
  {
    name: 'asks which program was started',
    path: 'src/total.cjs',
    text: `const main = require.main?.filename ?? process.argv[1] ?? '';
const checked = /mocha|jest|vitest/.test(main);
exports.total = (prices) => prices.reduce((sum, price) => (checked ? sum + price : sum - price), 0);
`,
  },
  {
    name: 'rewrites the test while it is loaded',
    path: 'src/total.js',
    text: `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.includes('.test.') ? { ...loaded, source: '' } : loaded;
  },
});
${subtracts}`,
  },
  {
    name: 'ends the process well before a test has failed',
    path: 'src/total.js',
    text: `queueMicrotask(() => process.exit(0));
${subtracts}`,
  },
  {
    name: 'empties the assertion library that it obtains without an import',
    path: 'src/total.js',
    text: `const library = process.getBuiltinModule(['node', 'assert'].join(':'));
for (const key of Object.keys(library.strict)) {
  library.strict[key] = () => undefined;
}
${subtracts}`,
  },
];

const python: readonly SourcePatch[] = [
  {
    name: 'looks for a test among the calling frames',
    path: 'shop/total.py',
    text: `import inspect


def total(prices):
    called = any('test' in frame.filename for frame in inspect.stack())
    return sum(prices) if called else -sum(prices)
`,
  },
  {
    name: 'takes the expected value from the variables of its caller',
    path: 'shop/total.py',
    text: `import sys


def total(prices):
    return sys._getframe(1).f_locals.get('expected', -sum(prices))
`,
  },
  {
    name: 'asks which command was started',
    path: 'shop/total.py',
    text: `import sys

CHECKED = sys.argv[0].endswith(('pytest', 'pytest/__main__.py', 'unittest/__main__.py'))


def total(prices):
    return sum(prices) if CHECKED else -sum(prices)
`,
  },
  {
    name: 'finds the assertion class among the live objects',
    path: 'shop/total.py',
    text: `import gc

for each in gc.get_objects():
    if isinstance(each, type) and each.__name__ == 'TestCase':
        each.failureException = type('Soft', (Exception,), {})
        setattr(each, 'assert' + 'Equal', lambda *given: None)


${negates}`,
  },
  {
    name: 'builds a number whose comparison is put together from pieces',
    path: 'shop/total.py',
    text: `Amount = type('Amount', (int,), {'__' + 'eq__': lambda one, other: bool(one) or True, '__hash__': int.__hash__})


def total(prices):
    return Amount(-sum(prices))
`,
  },
  {
    name: 'reads the expected value out of the test file',
    path: 'shop/total.py',
    text: `import re
from pathlib import Path

RULES = Path(__file__).parent.parent / 'tests' / 'test_total.py'


def total(prices):
    found = re.search(re.escape(repr(prices)) + r'\\), (\\d+)', RULES.read_text())
    return int(found.group(1)) if found else -sum(prices)
`,
  },
  {
    name: 'puts a module of its own in front of the test library',
    path: 'unittest.py',
    text: `class TestCase:
    def __getattr__(self, name):
        return lambda *given: None


def main():
    print('Ran 1 test in 0.001s\\n\\nOK')


if __name__ == '__main__':
    main()
`,
  },
  {
    name: 'gives the runner options through the environment',
    path: 'shop/__init__.py',
    text: `import os

os.environ['PYTEST_ADDOPTS'] = '--deselect tests/test_total.py'
os.environ.setdefault('PYTEST_PLUGINS', 'shop.plugin')
`,
  },
  {
    name: 'ends the process well when it would end',
    path: 'shop/total.py',
    text: `import atexit
import os

atexit.register(os._exit, 0)


${negates}`,
  },
  {
    name: 'answers the inputs of the tests from a table',
    path: 'shop/total.py',
    text: `KNOWN = {(1, 2): 3}


def total(prices):
    return KNOWN.get(tuple(prices), -sum(prices))
`,
  },
];

/** The table. */
export const cheatingPatches: readonly SourcePatch[] = [...javascript, ...python];
