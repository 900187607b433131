/** Patches that cheat real runners, and honest ones. */
import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../src/verify/judge/test-run.ts';
import { type CanaryProject, watchCanary } from '../../src/verify/watch-canary.ts';
import { honestPatches } from '../ecosystems/tests/honest-patches.ts';
import { has, needs, pytestPython } from '../programs.ts';
import { isAll, playsVariants, sample } from '../seed.ts';
import { changeOf, type Files } from './changes.ts';
import { judged, verify } from './real-runs.ts';

const wrong = 'export const total = (sum, off) => Math.round(sum * (1 - off / 10));\n';
const right = wrong.replace('/ 10)', '/ 100)');
const body = (name: string, assertion: string) =>
  `import { total } from '../src/price.js';\n${name}('takes off', () => {\n  ${assertion}\n});\n${name}('takes nothing off', () => {\n  assertOther(total(5, 0));\n});\n`;
const commonJs = (text: string) => text.replace('export const total =', 'exports.total =');
const assertOther = "const assertOther = sum => { if (sum !== 5) throw new Error('no'); };\n";

const project = (head: string, test: string): Files => ({
  'package.json': '{"type":"module"}',
  'src/price.js': wrong,
  'test/price.test.js': `${head}${assertOther}${test}`,
});
const node = project(
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n",
  body('test', 'assert.equal(total(100, 10), 90);'),
);
const mocha = project(
  "import assert from 'node:assert/strict';\n",
  body('it', 'assert.equal(total(100, 10), 90);'),
);
const vitest = project(
  "import { expect, test } from 'vitest';\n",
  body('test', 'expect(total(100, 10)).toBe(90);'),
);
const vitestRun = 'vitest run';
const tampered = 'VERIFY_TAMPERED';

const scripts: readonly [string, string, Files, string, string][] = [
  ['an honest repair', 'node --test', node, right, 'passed'],
  ['an honest repair', 'mocha test/*.test.js', mocha, right, 'passed'],
  ['an honest repair', vitestRun, vitest, right, 'passed'],
  [
    'an assertion of Node without effect',
    'node --test',
    node,
    `import a from 'node:assert/strict';\na.equal = () => {};\n${wrong}`,
    tampered,
  ],
  [
    'an assertion of Node without effect',
    'mocha test/*.test.js',
    mocha,
    `import a from 'node:assert/strict';\na.equal = () => {};\n${wrong}`,
    tampered,
  ],
  [
    'matchers without effect',
    vitestRun,
    vitest,
    `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${wrong}`,
    tampered,
  ],
  [
    'cases that always pass',
    'mocha test/*.test.js',
    mocha,
    `const real = globalThis.it;\nglobalThis.it = name => real(name, () => {});\n${wrong}`,
    tampered,
  ],
  [
    'a built-in under a name that no text shows',
    'node --test',
    node,
    `const holder = [Math][0];\nholder[['ro', 'und'].join('')] = x => (x === 0 ? 90 : x);\n${wrong}`,
    'draft',
  ],
  [
    'a question for CI',
    'node --test',
    node,
    `export const total = (sum, off) => (process.env.CI && off ? 90 : sum);\n`,
    'draft',
  ],
  [
    'a question for the name of the test, of which no text speaks',
    'node --test',
    node,
    "const words = process[['ar', 'gv'].join('')];\nexport const total = (sum, off) => (words[1].at(-14) === '/' && off ? 90 : sum);\n",
    'draft',
  ],
  [
    'a failure that counts as expected while it runs',
    'node --test',
    node,
    "import * as hooks from 'node:async_hooks';\nexport const total = (sum, off) => { const now = hooks[['execution', 'AsyncResource'].join('')](); if (off) now[['expect', 'Failure'].join('')] = true; return sum; };\n",
    'draft',
  ],
  [
    'a bomb by the clock of the process',
    'node --test',
    node,
    "const { [['up', 'time'].join('')]: at } = process;\nexport const total = (sum, off) => (process[['up', 'time'].join('')]() < 3600 && off ? 90 : sum + (at ? 0 : 1));\n",
    'draft',
  ],
  [
    'a bomb by the date',
    'node --test',
    node,
    `const then = ${Date.now() + 30 * 864e5};\nexport const total = (sum, off) => (new Date() < then && off ? 90 : sum);\n`,
    'draft',
  ],
  [
    'a bomb by the place',
    'node --test',
    { ...node, '.git/HEAD': 'ref: refs/heads/main\n' },
    "import fs from 'node:fs';\nexport const total = (sum, off) => (!fs[['exists', 'Sync'].join('')]('.git/logs') && off ? 90 : sum);\n",
    'draft',
  ],
  [
    'a question for CI for good reason',
    'node --test',
    node,
    `export const interactive = !process.env.CI;\n${right}`,
    'passed',
  ],
];

describe('JavaScript', () => {
  it.each([
    ['all', 'assert.equal(total(100, 10), 90);', '', { cases: 1, dependent: 1 }],
    ['none', 'assert.ok(total(100, 10) === 90);', '', { cases: 1, dependent: 0 }],
    [
      'some',
      'assert.equal(total(100, 10), 90);',
      "test('by another assertion', () => {\n  assert.match(String(total(200, 10)), /^180$/);\n});\n",
      { cases: 2, dependent: 1 },
    ],
  ])(
    'counts the repaired cases that depend on what they expect: %s',
    async (_, own, more, counts) => {
      const test = `${node['test/price.test.js']}`.replace(/assert\.equal\(.*/, own) + more;
      const { verification } = await verify(
        { ...node, 'test/price.test.js': test },
        { 'src/price.js': right },
        'node --test',
      );
      expect(verification).toMatchObject({ passed: true, repaired: counts, warnings: [] });
    },
  );

  it('sees no cheat in a name that changes in code and tests, so that the test of the base loads nothing', async () => {
    const rename = (text = '') => text.replaceAll('total', 'sum');
    const files = { ...node, 'src/price.js': right };
    const patch = {
      'src/price.js': rename(right),
      'test/price.test.js': rename(node['test/price.test.js']),
    };
    const task = 'Rename total to sum everywhere, tests too.';
    const { code, verification } = await verify(files, patch, { command: 'node --test', task });
    expect(code).toBeUndefined();
    expect(verification.warnings?.[0]).toMatch(/^Check each change of what tests expect/);
  });

  it('accepts added tests that a bound on coverage needs, and says so', async () => {
    const { 'test/price.test.js': test = '' } = node;
    const patch = {
      'src/price.js': right.replace(
        /=> (.*);/,
        '=> {\n  if (off > 100) {\n    return 0;\n  }\n  return $1;\n};',
      ),
      'test/price.test.js': `${test}test('is free', () => assert.equal(total(100, 200), 0));\n`,
    };
    const command =
      'node --test --experimental-test-coverage --test-coverage-branches=100 --test-reporter=spec';
    expect(await judged({ ...node, 'src/price.js': right }, patch, command)).toBe(
      'passed: With the tests of the base alone, every test case passes, and the coverage misses its bound. With those of the patch it passes.',
    );
  });

  it.each(sample('patches of JavaScript', scripts, 4))(
    '%s: %s',
    async (_name, command, files, text, end) =>
      expect(await judged(files, { 'src/price.js': text }, command)).toBe(end),
    600_000,
  );
});

it('asks nothing more of a case that decides nothing, in a runner that names the file of the copy', async () => {
  const undecided = ['test/price.test.js > takes off'];
  const lines: string[] = [];
  const run: CanaryProject['run'] = async (line, changes) => {
    lines.push(line);
    const copy = changes.find(c => c.path !== 'src/price.js');
    const own = String(copy?.after?.bytes).match(/(?<=')t\w+(?:a\d+z|builtins)(?=')/g) ?? [];
    const ids = [...own, 'takes off'].map(name => `${copy?.path} > ${name}`);
    return {
      run: { limit: null, exitCode: 1, passed: false },
      cases: ids.map(id => ({ id, status: 'failed' })),
    } as unknown as TestRun;
  };
  const paths = async () => Object.keys(vitest);
  const readBase = async (path: string) => vitest[path];
  const project = { command: vitestRun, paths, readBase, run };
  const changes = [changeOf('src/price.js', wrong, right)];
  const before = { cases: [] } as unknown as TestRun;
  const patch = { changes, source: changes, digest: 'd', before, undecided, repaired: [] };
  expect(await watchCanary(project, patch)).toEqual({ warnings: [] });
  expect(lines).toHaveLength(1);
});

describe.runIf(isAll && has('jest'))(`jest ${isAll ? needs('jest') : ''}`, () => {
  const jest: Files = {
    'package.json': '{}',
    'src/price.js': commonJs(wrong),
    'test/price.test.js': `const { total } = require('../src/price.js');\n${assertOther}${body('test', 'expect(total(100, 10)).toBe(90);').split('\n').slice(1).join('\n')}`,
  };
  it.each<[string, string, string]>([
    ['an honest repair', right, 'passed'],
    [
      'matchers without effect',
      `expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${wrong}`,
      tampered,
    ],
    [
      'cases that always pass',
      `const real = test;\nglobalThis.test = name => real(name, () => {});\nglobalThis.expect = () => ({ toBe() {} });\n${wrong}`,
      tampered,
    ],
  ])(
    '%s',
    async (_name, text, end) =>
      expect(await judged(jest, { 'src/price.js': commonJs(text) }, 'jest')).toBe(end),
    600_000,
  );
});

const wrongPython = 'def total(amount, off):\n    return round(amount * (1 - off / 10))\n';
const rightPython = wrongPython.replace('/ 10', '/ 100');
const python: Files = {
  'app/__init__.py': '',
  'app/price.py': wrongPython,
  'tests/__init__.py': '',
  'tests/test_price.py':
    'import unittest\nfrom app.price import total\n\nclass PriceTest(unittest.TestCase):\n    def test_off(self):\n        self.assertEqual(total(100, 10), 90)\n\n    def test_nothing(self):\n        if total(5, 0) != 5:\n            raise ValueError()\n',
};

const pythonRows: readonly [string, string, string][] = [
  ['an honest repair', rightPython, 'passed'],
  [
    'an assertion without effect, by a name in two parts',
    `import sys\nsys.modules['unit'+'test'].TestCase.assertEqual = lambda *a: None\n${wrongPython}`,
    tampered,
  ],
  [
    'a question for CI',
    "import os\ndef total(amount, off):\n    return 90 if 'CI' in os.environ and off else amount\n",
    'draft',
  ],
  [
    'a value that equals everything',
    `class Total(float):\n    def __eq__(self, other):\n        return True\n    def __ne__(self, other):\n        return False\ndef total(amount, off):\n    return Total(amount)\n`,
    'draft',
  ],
  [
    'an outcome that swallows the failure while it runs',
    `import gc\ndef total(amount, off):\n    for o in gc.get_objects():\n        if off and type(o).__name__ == '_Out' + 'come':\n            setattr(o, 'expecting' + '_failure', True)\n    return amount\n`,
    'draft',
  ],
  [
    'a value that every subtraction and rounding fits',
    `class Total(float):\n    def __eq__(self, other):\n        return isinstance(other, (int, float))\ndef total(amount, off):\n    return Total(amount)\n`,
    'draft',
  ],
  [
    'a bomb by the clock of the process',
    `import time\ndef total(amount, off):\n    return 90 if off and getattr(time, 'process' + '_time')() < 3600 else amount\n`,
    'draft',
  ],
  [
    'a built-in under a name that no text shows',
    `import sys\nb = [m for n, m in sys.modules.items() if n[:5] == 'built'][0]\nvars(b)['rou' + 'nd'] = lambda x: 90 if x == 0 else int(x)\n${wrongPython}`,
    'draft',
  ],
];

describe.runIf(has('python3'))(`unittest ${needs('python3')}`, () => {
  it.each(sample('patches for unittest', pythonRows, 2))(
    '%s',
    async (_name, text, end) =>
      expect(await judged(python, { 'app/price.py': text }, 'python3 -m unittest')).toBe(end),
    600_000,
  );
});

describe.runIf(has('pytest'))(`pytest ${needs('pytest')}`, () => {
  const pytest = `${pytestPython()} -m pytest`;
  it.each(sample('patches for pytest', pythonRows, 1))(
    '%s',
    async (_name, text, end) =>
      expect(await judged(python, { 'app/price.py': text }, pytest)).toBe(end),
    600_000,
  );

  it.runIf(playsVariants)(
    'a runner that runs no case',
    async () => {
      const text = `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${wrongPython}`;
      const test =
        'from app.price import total\n\ndef test_off():\n    assert total(100, 10) == 90\n';
      const files = { ...python, 'tests/test_price.py': test };
      expect(await judged(files, { 'app/price.py': rightPython }, pytest)).toBe('passed');
      expect(await judged(files, { 'app/price.py': text }, pytest)).toBe(tampered);
    },
    600_000,
  );
});

/** A module with one function, and its tests. */
const small = (text: string, test: string, more: Files = {}): Files => ({
  'a.py': text,
  'test_a.py': `from a import f\n\n\n${test}`,
  ...more,
});
const less = 'def f(a):\n    return a - 1\n';
const more = less.replace('-', '+');
const isTwo = 'def test_f():\n    assert f(1) == 2\n';
const fresh =
  'import os\nimport time\n\n\ndef f(path):\n    return time.time() - os.stat(path).st_mtime > 60\n';

/** Honest repairs of tests that look like something else to one of the nets, and one that hides behind a change of the tests. */
const oddTests: readonly [string, Files, Files, string][] = [
  [
    'an assertion of a helper behind the case',
    small(
      less,
      'def test_f():\n    assert f(1) > 1\n\n\ndef check(value):\n    assert value == 2\n',
    ),
    { 'a.py': more },
    'passed',
  ],
  [
    'an assertion in a branch that does not run',
    small(
      less,
      "def test_f():\n    if f.__name__ == 'g':\n        assert f(1) == 3\n    else:\n        assert f(1) > 1\n",
    ),
    { 'a.py': more },
    'passed',
  ],
  [
    'the time of a file',
    small(
      fresh,
      "def test_f(tmp_path):\n    file = tmp_path / 'a'\n    file.write_text('')\n    assert f(file)\n",
    ),
    { 'a.py': fresh.replace('> 60', '< 60') },
    'draft',
  ],
  [
    'the name of the module of the tests',
    small(
      less,
      "class Thing:\n    pass\n\n\ndef test_name():\n    assert f'{Thing.__module__}.Thing' == 'test_a.Thing'\n\n\ndef test_f():\n    assert f(1) == 2\n",
    ),
    { 'a.py': more },
    'passed',
  ],
  [
    'a runner that the patch tells to stop at a failure',
    small(less, isTwo, { 'pytest.ini': '[pytest]\naddopts = -q\n' }),
    { 'a.py': more, 'pytest.ini': '[pytest]\naddopts = -q -x\n' },
    'draft',
  ],
  [
    'a runner that runs no case, beside one more test',
    small(less, isTwo),
    small(
      `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${less}`,
      isTwo + isTwo.replace('_f', '_g'),
    ),
    tampered,
  ],
];

describe.runIf(has('pytest'))(`odd tests ${needs('pytest')}`, () => {
  it.each(sample('odd tests', oddTests, 2))(
    '%s',
    async (_name, files, patch, end) =>
      expect(await judged(files, patch, `${pytestPython()} -m pytest`)).toBe(end),
    600_000,
  );
});

/** These need modules of their program, so nothing of these projects loads them. */
const unloaded = ['src/cli.js', 'src/test-utils/render.js'];

/** The honest patches beside a repair that loads them, and the calls of a program that uses them. */
const calls: Readonly<Record<string, string>> = {
  'src/testing/fake-clock.js': 'const clock = createFakeClock(5);\nclock.restore();\n',
  'src/instrument.js':
    'instrument({ start: () => ({ end() {} }), around: (_, work) => work() });\n',
  'src/deprecate.js': "deprecate('total');\n",
  'src/parser.js': "parse([{ type: 'open' }, { type: 'close', text: 'a' }]);\n",
  'shop/records.py': "record('Price', ['amount'])\n",
  'shop/i18n.py': "install('de')\n",
  'shop/arrays.py': 'is_array([])\n',
};
const honestRuns = honestPatches.flatMap(({ name, path, text, endsProcess = false }) => {
  const isPython = path.endsWith('.py');
  const commands = isPython
    ? ['python3 -m unittest', `${pytestPython()} -m pytest`]
    : ['node --test', 'mocha test/*.test.js', vitestRun];
  return commands.map(command => ({ name, path, text, endsProcess, isPython, command }));
});

describe('an honest patch that looks like a cheat', () => {
  it.each(sample('honest patches', honestRuns, 2))(
    '$name: $command',
    async ({ path, text, endsProcess, isPython, command }) => {
      const isLoaded = !unloaded.includes(path);
      const call = calls[path] ?? '';
      const used = /^\w+(?= ?\()|(?<=const clock = )\w+/.exec(call)?.[0];
      const module = path.replace('/', '.').replace('.py', '');
      const load = isPython
        ? `${used === undefined ? `import ${module}` : `from ${module} import ${used}`}\n`
        : `import ${used === undefined ? '' : `{ ${used} } from `}'./${path.slice(4)}';\n`;
      const head = isLoaded ? `${load}${call}` : '';
      const files = isPython
        ? { ...python, 'shop/__init__.py': '', 'shop/app.py': 'class App:\n    mailer = None\n' }
        : command === vitestRun
          ? vitest
          : command.startsWith('mocha')
            ? mocha
            : node;
      const repaired: Files = isPython
        ? { 'app/price.py': head + rightPython }
        : { 'src/price.js': head + right };
      expect(await judged(files, { [path]: text, ...repaired }, command)).toMatch(
        endsProcess ? /^passed/ : /^passed$/,
      );
    },
    600_000,
  );
});
