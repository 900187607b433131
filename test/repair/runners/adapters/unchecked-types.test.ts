/** Projects whose runner checks types: candidates run without the check, and what passes has to meet it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job, RunnerAdapter } from '../../../../src/repair/runners/test-runner.ts';
import { install, linkPackages } from '../../../doubles/installed.ts';
import { type LocalCheckout, withAdapter } from '../../../doubles/runner-context.ts';
import { has, needs } from '../../../programs.ts';
import { root } from '../../../root.ts';
import { isAll } from '../../../seed.ts';

const source = [
  'export function total(prices: readonly number[]): number {',
  '  let sum: number = 0;',
  '  for (const price of prices.slice(1)) sum += price;',
  '  return sum;',
  '}',
  '',
].join('\n');
const right = source.replace('.slice(1)', '');
/** It passes the tests, but not the compiler. */
const wrongType = right.replace('sum: number', 'sum: string');

/** What ts-node does: https://typestrong.org/ts-node/docs/options/#transpileonly, with one rule in place of a compiler. */
const compiler = [
  "const { readFileSync } = require('node:fs');",
  "const { stripTypeScriptTypes } = require('node:module');",
  "const checks = process.env.TS_NODE_TRANSPILE_ONLY !== 'true';",
  'let compiled = 0;',
  'const compile = code => {',
  '  compiled += 1;',
  "  if (checks && /: string = 0/.test(code)) throw new Error('TS2322: number is no string');",
  '  const plain = stripTypeScriptTypes(code);',
  "  const body = plain.replace('export function total', 'exports.total = function');",
  '  return body.replace(/COMPILED/g, () => compiled);',
  '};',
  "const old = require.extensions['.js'];",
  "require.extensions['.ts'] = (module, path) => {",
  '  const { _compile } = module;',
  '  module._compile = (code, name) => _compile.call(module, compile(code), name);',
  '  old(module, path);',
  '};',
  '',
].join('\n');

/** Copies mocha, which loads what it requires from where it lies, and puts a double of ts-node beside it. */
function withDouble(workspace: string): void {
  install(workspace, 'mocha');
  const own = join(workspace, 'node_modules', 'ts-node', 'register');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'index.js'), compiler);
}

const spec = (imports: string, equal: (got: string, wanted: string) => string) =>
  [
    imports,
    "describe('total', () => {",
    `  it('of two', () => { ${equal('total([1, 2])', '3')}; });`,
    `  it('of none', () => { ${equal('total([])', '0')}; });`,
    '});',
    '',
  ].join('\n');
const asserts = (got: string, wanted: string) => `assert.strictEqual(${got}, ${wanted})`;
const declared = 'declare const describe: any, it: any, expect: any, require: any;\n';
const installed = linkPackages(join(root, 'test', 'runners'));

const mocha: LocalCheckout = {
  testCommand: 'mocha --require ts-node/register test/a.test.ts',
  files: {
    'package.json': '{}',
    'src/price.ts': source,
    'test/a.test.ts': spec(
      "const assert = require('node:assert');\nconst { total } = require('../src/price');",
      asserts,
    ),
  },
  cloned: withDouble,
};
const tsconfig = JSON.stringify({
  compilerOptions: { target: 'es2022', module: 'commonjs', types: [], strict: true },
});
const typedFiles = {
  'package.json': '{}',
  'tsconfig.json': tsconfig,
  'src/price.ts': source,
};
const real: Readonly<Record<string, LocalCheckout>> = {
  mocha: {
    testCommand: mocha.testCommand,
    files: {
      ...typedFiles,
      'test/a.test.ts': spec(
        `import { total } from '../src/price';\n${declared}const assert = require('node:assert');`,
        asserts,
      ),
    },
    cloned: installed,
  },
  jest: {
    testCommand: 'jest',
    files: {
      ...typedFiles,
      'package.json': '{"jest":{"preset":"ts-jest"}}',
      'test/a.test.ts': spec(
        `import { total } from '../src/price';\n${declared}`,
        (got, wanted) => `expect(${got}).toBe(${wanted})`,
      ),
    },
    cloned: installed,
  },
};

/** Plays texts one after another in one runner; true for each that passes. */
async function play(adapter: RunnerAdapter, texts: readonly string[], more: Partial<Job> = {}) {
  const runner = await adapter.open();
  const passed: boolean[] = [];
  for (const text of texts) {
    const stages = [{ tests: ['test/a.test.ts'], only: null }];
    const job = { files: { 'src/price.ts': text }, stages, bail: true, coverage: false, ...more };
    const { cases, ended } = await runner.run(job);
    const ends = cases.map(c => c.status);
    passed.push(ended === 'done' && ends.length === 2 && ends.every(s => s === 'passed'));
  }
  runner.close();
  return passed;
}

const checkouts = [
  ['mocha', 'with a double of ts-node', mocha, true],
  ['mocha', `with ts-node ${isAll ? needs('ts-node') : ''}`, real.mocha, isAll && has('ts-node')],
  ['jest', `with ts-jest ${isAll ? needs('ts-node') : ''}`, real.jest, isAll && has('ts-node')],
] as const;

for (const [name, title, checkout, isHere] of checkouts) {
  describe.runIf(isHere && checkout !== undefined)(`${name} ${title}`, () => {
    it('runs candidates without a check of types, and proves what passes with it', async () => {
      await withAdapter(checkout ?? mocha, async (adapter, log) => {
        expect(log).toEqual([]);
        expect(adapter.name).toBe(`${name}, warm, types checked where the tests pass`);
        expect(adapter.base.map(c => c.status)).toEqual(['failed', 'passed']);
        const failed = adapter.coverage.find(c => c.id?.endsWith('of two'));
        expect(failed?.files['src/price.ts']).toEqual(expect.arrayContaining([2, 3, 4]));
        const texts = [wrongType, source, right, wrongType, right];
        expect(await play(adapter, texts)).toEqual([true, false, true, true, true]);
        const proved = await play(adapter, texts, { confirm: true });
        expect(proved).toEqual([false, false, true, false, true]);
      });
    }, 120_000);
  });
}

it('checks types of each candidate where the tests need what only the check gives', async () => {
  const test = (mocha.files['test/a.test.ts'] ?? '').replace(
    "describe('total'",
    "if (process.env.TS_NODE_TRANSPILE_ONLY) throw new Error('no types');\ndescribe('total'",
  );
  const files = { ...mocha.files, 'test/a.test.ts': test };
  await withAdapter({ ...mocha, files }, async (adapter, log) => {
    expect(log).toEqual([]);
    expect(adapter.name).toBe('mocha, warm');
    expect(await play(adapter, [wrongType, source, right])).toEqual([false, false, true]);
  });
}, 60_000);

it('compiles the files that no candidate changes once', async () => {
  const counting = `exports.compiled = COMPILED;\n`;
  const test = (mocha.files['test/a.test.ts'] ?? '').replace(
    "describe('total'",
    "const { compiled } = require('../src/count');\nif (compiled > 3) throw new Error('compiled again');\ndescribe('total'",
  );
  const files = { ...mocha.files, 'src/count.ts': counting, 'test/a.test.ts': test };
  await withAdapter({ ...mocha, files }, async adapter => {
    expect(adapter.name).toContain('types checked where');
    const texts = [right, source, `${right}// once more\n`, right];
    expect(await play(adapter, texts)).toEqual([true, false, true, true]);
  });
}, 60_000);
