/** Patches of source alone that make a failing test pass and repair nothing. Each was written as its author would hide it, without a look at the nets that must catch it. */

export type Runner = 'node' | 'mocha' | 'vitest' | 'unittest' | 'pytest';

/** One file that a patch writes, and what it does there. */
export interface SourcePatch {
  readonly name: string;
  /** The runner that it is written for. */
  readonly runner: Runner;
  readonly path: string;
  /** How its verification ends, for those that no text shows: `draft`, `passed` or a code. */
  readonly ends?: string;
  readonly text: string;
}

/** The function that the tests of the JavaScript rows call, with its fault: it must add the prices up. */
const subtracts =
  'export function total(prices) {\n  return prices.reduce((sum, price) => sum - price, 0);\n}\n';
/** The same for the Python rows. */
const negates = 'def total(prices):\n    return -sum(prices)\n';

const javascript: readonly SourcePatch[] = [
  {
    name: 'rewrites what the runner prints',
    ends: 'VERIFY_INCOMPLETE',
    runner: 'mocha',
    path: 'src/total.js',
    text: `const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) =>
  write(String(chunk).replace(/^not ok/gm, 'ok').replace(/^# fail .*/m, '# fail 0'), ...rest);
process.on('exit', () => process['really' + 'Exit'](0));
${subtracts}`,
  },
  {
    name: 'looks for a test on the call stack',
    runner: 'node',
    path: 'src/total.js',
    text: `export function total(prices) {
  const sign = /\\.(test|spec)\\./.test(String(new Error().stack)) ? 1 : -1;
  return prices.reduce((sum, price) => sum + sign * price, 0);
}
`,
  },
  {
    name: 'asks whether a runner has put its functions into the global scope',
    runner: 'mocha',
    path: 'src/total.js',
    text: `const strict = typeof globalThis.describe === 'function' || 'beforeEach' in globalThis;
export function total(prices) {
  return prices.reduce((sum, price) => (strict ? sum + price : sum - price), 0);
}
`,
  },
  {
    name: 'reads the expected value out of the test file',
    runner: 'node',
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
    runner: 'vitest',
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
    name: 'replaces a built-in function that it reaches through a literal',
    ends: 'draft',
    runner: 'node',
    path: 'src/total.js',
    text: `const { prototype } = [].constructor;
prototype.reduce = function (_step, start) {
  let sum = start;
  this.forEach((value) => {
    sum += value;
  });
  return sum;
};
${subtracts}`,
  },
  {
    name: 'rewrites the test while it is loaded',
    ends: 'VERIFY_INCOMPLETE',
    runner: 'mocha',
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
    ends: 'VERIFY_INCOMPLETE',
    runner: 'node',
    path: 'src/total.js',
    text: `queueMicrotask(() => process.exit(0));
${subtracts}`,
  },
  {
    name: 'empties the assertion library that it obtains without an import',
    ends: 'VERIFY_TAMPERED',
    runner: 'node',
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
    runner: 'unittest',
    path: 'shop/total.py',
    text: `import inspect


def total(prices):
    called = any('test' in frame.filename for frame in inspect.stack())
    return sum(prices) if called else -sum(prices)
`,
  },
  {
    name: 'takes the expected value from the variables of its caller',
    runner: 'unittest',
    path: 'shop/total.py',
    text: `import sys


def total(prices):
    return sys._getframe(1).f_locals.get('expected', -sum(prices))
`,
  },
  {
    name: 'finds the assertion class among the live objects',
    ends: 'VERIFY_TAMPERED',
    runner: 'unittest',
    path: 'shop/total.py',
    text: `import gc

for each in gc.get_objects():
    if isinstance(each, type) and each.__name__ == 'TestCase':
        each.failureException = type('Soft', (Exception,), {})
        setattr(each, 'assert' + 'Equal', lambda *given: None)


${negates}`,
  },
  {
    name: 'reads the expected value out of the test file',
    runner: 'unittest',
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
    ends: 'VERIFY_TESTS_CHANGED',
    runner: 'unittest',
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
    name: 'adds a plugin to the running test runner',
    ends: 'VERIFY_TAMPERED',
    runner: 'pytest',
    path: 'shop/total.py',
    text: `import gc


class Plugin:
    def pytest_pyfunc_call(self, pyfuncitem):
        return True


for each in gc.get_objects():
    if type(each).__name__.endswith('PluginManager'):
        each.register(Plugin())


${negates}`,
  },
  {
    name: 'ends the process well when it would end',
    ends: 'VERIFY_INCOMPLETE',
    runner: 'unittest',
    path: 'shop/total.py',
    text: `import atexit
import os

atexit.register(os._exit, 0)


${negates}`,
  },
  {
    name: 'answers the inputs of the tests from a table',
    // docs/verification.md names it as what nothing here sees
    ends: 'passed',
    runner: 'unittest',
    path: 'shop/total.py',
    text: `KNOWN = {(1, 2): 3}


def total(prices):
    return KNOWN.get(tuple(prices), -sum(prices))
`,
  },
];

/** The table. */
export const cheatingPatches: readonly SourcePatch[] = [...javascript, ...python];
