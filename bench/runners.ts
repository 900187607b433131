/** How long a candidate takes in the runners that the embedded engine keeps open, beside one run of the project's command. */
import { listTestFiles } from '../src/repair/search/search.ts';
import { withAdapter } from '../test/doubles/runner-context.ts';
import { programs, pytestPython } from '../test/programs.ts';
import { median, row } from './figures.ts';

const candidates = 60;
const commands = 5;
const testFiles = 3;

interface BenchRunner {
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that candidates change, and what begins a comment in it. */
  readonly source: string;
  readonly comment: string;
}

const inFiles = (pathOf: (n: number) => string, lines: readonly string[]) =>
  Object.fromEntries(
    Array.from({ length: testFiles }, (_, n) => [pathOf(n), [...lines, ''].join('\n')]),
  );

const nodeTest: BenchRunner = {
  command: 'node --test',
  files: {
    'package.json': '{"type":"module"}',
    'src/price.js':
      'export const total = prices => prices.slice(1).reduce((sum, price) => sum + price, 0);\n',
    ...inFiles(
      n => `test/${n}.test.js`,
      [
        "import assert from 'node:assert';",
        "import { it } from 'node:test';",
        "import { total } from '../src/price.js';",
        "it('of two', () => assert.equal(total([1, 2]), 3));",
        "it('of none', () => assert.equal(total([]), 0));",
        "it('of zero', () => assert.equal(total([0, 3]), 3));",
      ],
    ),
  },
  source: 'src/price.js',
  comment: '//',
};

const pythonRunner = (command: string): BenchRunner => ({
  command,
  files: {
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
      ],
    ),
  },
  source: 'price.py',
  comment: '#',
});

const python = pytestPython();
const runners = [
  nodeTest,
  pythonRunner('python3 -m unittest'),
  ...(python === undefined ? [] : [pythonRunner(`${python} -m pytest`)]),
];

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Prints, for each runner, a candidate that fails in the first test file, and its ratio to the command. */
export async function benchRunners(): Promise<void> {
  row('a candidate / one run of the command', '', '');
  for (const { command, files, source, comment } of runners)
    await withAdapter({ files, testCommand: command }, async (adapter, _, context) => {
      const view = await context.open();
      const whole: number[] = [];
      for (let i = 0; i < commands; i++)
        whole.push(await milliseconds(() => view.run(command, 60_000)));
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
  if (python === undefined) row('pytest', 'not installed', programs.pytest);
}
