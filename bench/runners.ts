/** How long a candidate takes in the runner that the embedded engine keeps open, beside one run of the project's command. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listTestFiles } from '../src/repair/search/search.ts';
import { linkPackages } from '../test/doubles/installed.ts';
import { withAdapter } from '../test/doubles/runner-context.ts';
import { root } from '../test/harness.ts';
import { programs, pytestPython } from '../test/programs.ts';
import { median, row } from './figures.ts';

const candidates = 60;
const commands = 5;
const testFiles = 3;

const script = [
  'function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  '',
].join('\n');
const cases = (equal: (actual: string, expected: string) => string) =>
  ['[1, 2]', '[]', '[0, 3]'].map((prices, i) => {
    const sum = [3, 0, 3][i];
    return `it('of ${i}', () => ${equal(`total(${prices})`, String(sum))});`;
  });

interface BenchRunner {
  readonly name: string;
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that candidates change, and what begins a comment in it. */
  readonly source: string;
  readonly comment: string;
  /** Folder whose packages the project uses; undefined if it needs none. */
  readonly installed: string | undefined;
}

interface Script extends Pick<BenchRunner, 'name' | 'command' | 'installed'> {
  readonly imports: readonly string[];
  readonly equal: (actual: string, expected: string) => string;
  readonly modules: 'module' | 'commonjs';
}

const expected = (actual: string, value: string) => `expect(${actual}).toBe(${value})`;
const asserted = (actual: string, value: string) => `assert.equal(${actual}, ${value})`;
const loadTotal = "const { total } = require('../src/price.js');";
const importTotal = "import { total } from '../src/price.js';";

const scripts: readonly Script[] = [
  {
    name: 'node:test',
    command: 'node --test',
    imports: ["import assert from 'node:assert';", "import { it } from 'node:test';", importTotal],
    equal: asserted,
    installed: root,
    modules: 'module',
  },
  {
    name: 'mocha',
    command: 'mocha',
    imports: ["const assert = require('node:assert');", loadTotal],
    equal: asserted,
    installed: root,
    modules: 'commonjs',
  },
  {
    name: 'vitest',
    command: 'vitest run',
    imports: ["import { expect, it } from 'vitest';", importTotal],
    equal: expected,
    installed: root,
    modules: 'module',
  },
  {
    name: 'jest',
    command: 'jest',
    imports: [loadTotal],
    equal: expected,
    installed: join(root, 'test', 'runners'),
    modules: 'commonjs',
  },
];

function scriptRunner({ name, command, installed, imports, equal, modules }: Script): BenchRunner {
  const test = [...imports, ...cases(equal), ''].join('\n');
  const exported = modules === 'module' ? 'export { total };\n' : 'module.exports = { total };\n';
  const files = {
    'package.json': JSON.stringify({ type: modules }),
    'src/price.js': `${script}${exported}`,
    ...inFiles(n => `test/${n}.test.js`, test),
  };
  return { name, command, files, source: 'src/price.js', comment: '//', installed };
}

const inFiles = (pathOf: (n: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: testFiles }, (_, n) => [pathOf(n), text]));

function pythonRunner(name: string, python = 'python3'): BenchRunner {
  const files = {
    'price.py': 'def total(prices):\n    return sum(prices[1:])\n',
    ...inFiles(
      n => `test_${n}.py`,
      [
        'import unittest',
        'from price import total',
        'class TotalTest(unittest.TestCase):',
        '    def test_two(self):',
        '        self.assertEqual(total([1, 2]), 3)',
        '    def test_none(self):',
        '        self.assertEqual(total([]), 0)',
        '    def test_zero(self):',
        '        self.assertEqual(total([0, 3]), 3)',
        '',
      ].join('\n'),
    ),
  };
  const command = `${python} -m ${name}`;
  return { name, command, files, source: 'price.py', comment: '#', installed: undefined };
}

const python = pytestPython();
const runners = [
  ...scripts.map(scriptRunner),
  pythonRunner('unittest'),
  ...(python === undefined ? [] : [pythonRunner('pytest', python)]),
];

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Prints, for each runner that is installed, a candidate that fails in the first test file, and its ratio to the command. */
export async function benchRunners(): Promise<void> {
  row('a candidate / one run of the command', '', '');
  for (const { name, command, files, source, comment, installed } of runners) {
    const program = join(installed ?? '', 'node_modules', '.bin', name);
    if (installed !== undefined && name !== 'node:test' && !existsSync(program)) {
      row(name, 'not installed', 'npm install --prefix test/runners');
      continue;
    }
    const cloned = installed === undefined ? {} : { cloned: linkPackages(installed) };
    await withAdapter({ files, testCommand: command, ...cloned }, async (adapter, _, context) => {
      const view = await context.open();
      const line = `PATH="$PWD/node_modules/.bin:$PATH" ${command}`;
      const whole: number[] = [];
      for (let i = 0; i < commands; i++)
        whole.push(await milliseconds(() => view.run(line, 60_000)));
      const opened = await adapter.open();
      const tests = listTestFiles(adapter.base);
      const stages = [tests.slice(0, 1), tests].map(of => ({ tests: of, only: null }));
      const each: number[] = [];
      for (let i = 0; i < candidates; i++) {
        const text = `${files[source]}${comment} ${i}\n`;
        const job = { files: { [source]: text }, stages, bail: true, coverage: false };
        each.push(await milliseconds(() => opened.run(job)));
      }
      opened.close();
      const [one, all] = [median(each), median(whole)];
      row(
        adapter.name,
        `${one.toFixed(1)} / ${all.toFixed(0)} ms = ${(one / all).toFixed(3)} x`,
        '',
      );
    });
  }
  if (python === undefined) row('pytest', 'not installed', programs.pytest);
}
