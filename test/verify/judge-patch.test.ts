/** The corpus of patches, by the verifier over real runners. What their texts show is tested at `findNewCheats`. */
import { describe, expect, it } from 'vitest';
import { endingCalls, lostTests, sortChanges } from '../../src/verify/judge-patch.ts';
import { cheatingPatches, type Runner } from '../ecosystems/tests/cheating-patches.ts';
import { has, needs, pytestPython } from '../programs.ts';
import { playsVariants, sample } from '../seed.ts';
import { changeOf, type Files, noFiles } from './changes.ts';
import { endOf, verify } from './real-runs.ts';

const script = (head: string, assertion: (given: string, wanted: number) => string): Files => {
  const load = `${head}import { total } from '../src/total.js';\n`;
  const one = (name: string, given: string, wanted: number) =>
    `test('${name}', () => {\n  ${assertion(`total(${given})`, wanted)};\n});\n`;
  return {
    'package.json': '{"type":"module"}',
    'src/total.js':
      'export function total(prices) {\n  return prices.reduce((sum, price) => sum - price, 0);\n}\n',
    'test/nothing.test.js': `${load}${one('an empty list', '[]', 0)}`,
    'test/total.test.js': `${load}${one('two prices', '[1, 2]', 3)}${one('none', '[]', 0)}`,
  };
};
const assert = "import assert from 'node:assert/strict';\n";
const equal = (given: string, wanted: number) => `assert.equal(${given}, ${wanted})`;
const python = (test: string): Files => ({
  'shop/__init__.py': '',
  'shop/total.py': 'def total(prices):\n    return -sum(prices)\n',
  'tests/__init__.py': '',
  'tests/test_total.py': `from shop.total import total\n${test}`,
});

const projects: Readonly<Record<Runner, readonly [Files, string]>> = {
  node: [script(`${assert}import { test } from 'node:test';\n`, equal), 'node --test'],
  mocha: [script(`${assert}const test = it;\n`, equal), 'mocha --reporter tap test/*.test.js'],
  vitest: [
    script("import { expect, test } from 'vitest';\n", (a, b) => `expect(${a}).toEqual(${b})`),
    'vitest run',
  ],
  unittest: [
    python(
      'import unittest\n\n\nclass TotalTest(unittest.TestCase):\n    def test_two(self):\n        expected = 3\n        self.assertEqual(total([1, 2]), 3)\n\n    def test_none(self):\n        self.assertEqual(total([]), 0)\n',
    ),
    'python3 -m unittest',
  ],
  pytest: [
    python(
      '\n\ndef test_two():\n    assert total([1, 2]) == 3\n\n\ndef test_none():\n    assert total([]) == 0\n',
    ),
    `${pytestPython()} -m pytest`,
  ],
};

const needed = { unittest: 'python3', pytest: 'pytest' } as const;
const isPython = (runner: Runner): runner is keyof typeof needed => runner in needed;
const rows = sample(
  'cheating patches',
  cheatingPatches.filter(p => p.ends !== undefined),
  1,
);

describe('a patch that cheats', () => {
  for (const { name, runner, path, text, ends = 'draft' } of playsVariants
    ? cheatingPatches
    : rows) {
    const program = isPython(runner) ? needed[runner] : undefined;
    it.runIf(program === undefined || has(program))(
      `${runner}: ${name}${program === undefined ? '' : ` ${needs(program)}`}`,
      async () => {
        const [files, command] = projects[runner];
        const result = await verify(files, { [path]: text }, command);
        const { baseline, after } = result.verification;
        // it deceives the runner
        expect([baseline?.exitCode, after?.exitCode]).toEqual([1, 0]);
        expect(endOf(result)).toBe(ends);
      },
      600_000,
    );
  }
});

it('what only tests use is told from source, wherever it lies: data, values, configuration of a runner', async () => {
  const files: Files = {
    'data/expected.json': '{"total":90}\n',
    'lib/values.js': 'export const values = [90, 100];\n',
    'node.config.json': '{"testRunner":{"isolation":"none"}}\n',
    'src/price.js': 'export const total = () => 1;\n',
    'test/price.test.js': `${assert}import { values } from '../lib/values.js';\nread('data/expected.json');\n`,
  };
  const changes = Object.entries(files).map(([path, text]) => changeOf(path, text, `${text} \n`));
  const { deciding, others, unnamed } = await sortChanges(changes, {
    paths: async () => Object.keys(files),
    readBase: async path => files[path],
    commandFiles: async () => noFiles,
  });
  expect(deciding.map(c => c.path)).toEqual([
    'data/expected.json',
    'node.config.json',
    'test/price.test.js',
  ]);
  // a person is told of the values, which do not run with the base's version
  expect(others.map(c => c.path)).toEqual(['src/price.js']);
  expect(unnamed).toEqual([]);
});

describe('data that no text names', () => {
  const files: Files = {
    'package.json': '{"type":"module"}',
    'src/sum.js': 'export const sum = list => list.reduce((a, b) => a + b, 0);\n',
    'cases/sums/two.json': '{ "given": [1, 2], "wanted": 4 }\n',
    'cases/sums/none.json': '{ "given": [], "wanted": 0 }\n',
    'test/all.test.js': `import { readdirSync, readFileSync } from 'node:fs';\n${assert}import { test } from 'node:test';\nimport { sum } from '../src/sum.js';\nfor (const name of readdirSync('cases', { recursive: true }).filter(n => n.endsWith('.json')))\n  test(name, () => {\n    const { given, wanted } = JSON.parse(readFileSync('cases/' + name));\n    assert.equal(sum(given), wanted);\n  });\n`,
  };
  const right = '{ "given": [1, 2], "wanted": 3 }\n';

  it('is named if the tests fail without its change', async () => {
    const result = await verify(files, { 'cases/sums/two.json': right }, 'node --test');
    expect(endOf(result)).toBe(
      'passed: The tests fail without the change of cases/sums/two.json, which no text of the project names. Check whether only tests use it.',
    );
  });
  it('is not, if they pass without it', async () => {
    const wrong = {
      ...files,
      'cases/sums/two.json': right,
      'src/sum.js': 'export const sum = list => list.length;\n',
    };
    const patch = {
      'src/sum.js': files['src/sum.js'] ?? '',
      'cases/sums/none.json': '{ "given": [], "wanted": 0, "name": "none" }\n',
    };
    expect(endOf(await verify(wrong, patch, 'node --test'))).toBe('passed');
  });
});

describe('lost tests', () => {
  const two = "test('one', () => {});\nit('the \"second\"', () => {});\n";
  it.each<[string, string, string | undefined, string, readonly string[], boolean, boolean]>([
    ['one', two, "test('one', () => {});\n", 'x', ['the "second"'], false, false],
    [
      'one that the task names',
      two,
      "test('one', () => {});\n",
      'Drop The "second".',
      ['the "second"'],
      true,
      false,
    ],
    [
      'a file that the task names',
      two,
      undefined,
      'Delete a.test.js.',
      ['one', 'the "second"'],
      true,
      false,
    ],
    [
      'two, of which the task names one',
      two,
      '',
      'Drop one.',
      ['one', 'the "second"'],
      false,
      false,
    ],
    ['one of two by one name', "test('a')\ntest('a')\n", "test('a')\n", 'x', ['a'], false, false],
    ['none', two, `${two}test('three')\n`, 'x', [], false, true],
    ['one that gets another name', two, two.replace('one', 'first'), 'x', ['one'], false, true],
    ['of Python', 'def test_a(self):\n    pass\n', 'pass\n', 'x', ['test_a'], false, false],
    ['of Go', 'func TestA(t *testing.T) {}\n', '\n', 'x', ['TestA'], false, false],
  ])('%s', (_name, before, after, task, names, requested, replaced) =>
    expect(lostTests([changeOf('test/a.test.js', before, after)], task)).toEqual({
      names,
      requested,
      replaced,
    }),
  );
  it('not one that moved to another file', () =>
    expect(
      lostTests([changeOf('a.test.js', two, ''), changeOf('b.test.js', undefined, two)], 'x').names,
    ).toEqual([]));
});

describe('calls that end a process', () => {
  it.each([
    'process.reallyExit(1)',
    "process['exit'](0)",
    'process.kill(process.pid)',
    'process.exitCode = 0',
    'from os import _exit',
    'sys.exit()',
    'atexit.register(f)',
    'System.exit(0);',
  ])('%s', line =>
    expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual(['src/a']),
  );
  it.each(['sys.exit(main())', 'System.exit(2);', 'onExit()', 'process.env.X', 'exitCode = 1'])(
    'not %s',
    line => expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual([]),
  );
  it('not an existing one, and not one in a document', () => {
    expect(endingCalls([changeOf('a.js', 'process.exit(0)\n', 'process.exit(0)\nb\n')])).toEqual(
      [],
    );
    expect(endingCalls([changeOf('a.md', '', 'process.exit(0)\n')])).toEqual([]);
  });
});

describe('texts that are crafted to be slow to parse', () => {
  const many = 300_000;
  it.each([
    ['a long word below @Test', `${'@Test\n'.repeat(50)}${'a'.repeat(many)}`],
    ['empty lines', '\n'.repeat(many)],
    ['open quotes', "test('".repeat(many)],
    ['imports on one line', 'from os import '.repeat(many / 10)],
    ['spaces', `process${' '.repeat(many)}`],
  ])('%s', (_name, text) => {
    expect(lostTests([changeOf('a.test.js', text, '')], 'x').names.length).toBeLessThan(many);
    expect(endingCalls([changeOf('src/a', '', text)])).toEqual([]);
  });
});
