/** How long a candidate takes in the runner that the embedded engine keeps open, beside one run of the project's command. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages } from '../test/doubles/installed.ts';
import { withAdapter } from '../test/doubles/runner-context.ts';
import { root } from '../test/harness.ts';
import { median, row } from './figures.ts';

const candidates = 60;
const commands = 5;
const testFiles = 3;

const source = [
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
  readonly imports: readonly string[];
  readonly equal: (actual: string, expected: string) => string;
  /** Folder whose packages the project uses. */
  readonly installed: string;
  readonly modules: 'module' | 'commonjs';
}

const expected = (actual: string, value: string) => `expect(${actual}).toBe(${value})`;
const asserted = (actual: string, value: string) => `assert.equal(${actual}, ${value})`;
const loadTotal = "const { total } = require('../src/price.js');";
const importTotal = "import { total } from '../src/price.js';";

const runners: readonly BenchRunner[] = [
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

function filesOf({ imports, equal, modules }: BenchRunner): Record<string, string> {
  const test = [...imports, ...cases(equal), ''].join('\n');
  const exported = modules === 'module' ? 'export { total };\n' : 'module.exports = { total };\n';
  return {
    'package.json': JSON.stringify({ type: modules }),
    'src/price.js': `${source}${exported}`,
    ...Object.fromEntries(
      Array.from({ length: testFiles }, (_, i) => [`test/${i}.test.js`, test] as const),
    ),
  };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Prints, for each runner that is installed, a candidate that fails in the first test file, and its ratio to the command. */
export async function benchRunners(): Promise<void> {
  row('a candidate / one run of the command', '', '');
  for (const runner of runners) {
    const { name, command, installed } = runner;
    if (name !== 'node:test' && !existsSync(join(installed, 'node_modules', '.bin', name))) {
      row(name, 'not installed', 'npm install --prefix test/runners');
      continue;
    }
    const files = filesOf(runner);
    const checkout = { files, testCommand: command, cloned: linkPackages(installed) };
    await withAdapter(checkout, async (adapter, _log, context) => {
      const view = await context.open();
      const line = `PATH="$PWD/node_modules/.bin:$PATH" ${command}`;
      const whole: number[] = [];
      for (let i = 0; i < commands; i++)
        whole.push(await milliseconds(() => view.run(line, 60_000)));
      const opened = await adapter.open();
      const stages = [{ tests: ['test/0.test.js'], only: null }];
      const each: number[] = [];
      for (let i = 0; i < candidates; i++) {
        const text = `${files['src/price.js']}// ${i}\n`;
        const job = { files: { 'src/price.js': text }, stages, bail: true, coverage: false };
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
}
