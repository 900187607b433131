/** Patches that cheat the runners of this machine, and data that only a run shows to be a test's. */
import { describe, expect, it } from 'vitest';
import { cheatingPatches, type Runner } from '../ecosystems/tests/cheating-patches.ts';
import { has, needs, pytestPython } from '../programs.ts';
import { playsVariants, sample } from '../seed.ts';
import type { Files } from './changes.ts';
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
