/** The real uvu, ava and tap run warm: one thread sees what their commands see, case by case. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobResult, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { stagesFor } from '../../../src/repair/search/search.ts';
import { linkPackages } from '../../doubles/installed.ts';
import { withAdapter } from '../../doubles/runner-context.ts';
import { has, needs, type Program } from '../../programs.ts';
import { root } from '../../root.ts';
import { isAll } from '../../seed.ts';

const source = [
  'export const seen = [];',
  'export function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  'export async function label(sum) {',
  "  return sum + ' EUR';",
  '}',
  '',
].join('\n');
const asCommonJs = (text: string) =>
  `${text.replaceAll(/export (async )?(function|const)/g, '$1$2')}module.exports = { seen, total, label };\n`;
const right = source.replace('i = 1', 'i = 0');
const endless = source.replace('i += 1)', 'i += 0)');

interface Suite {
  readonly program: Program;
  readonly command: string;
  /** Test files with `../src/price.js` and hooks, for ES modules and for `require`. */
  readonly spec: (load: (names: string, from: string) => string) => string;
  readonly cases: readonly string[];
}

const suites: readonly Suite[] = [
  {
    program: 'uvu',
    command: 'npx uvu test',
    spec: load =>
      [
        load('{ suite, test }', 'uvu'),
        load('assert', 'uvu/assert'),
        load('{ label, seen, total }', '../src/price.js'),
        "test('of two', () => { assert.is(total([1, 2]), 3); });",
        "test('of none', () => { assert.is(total([]), 0); });",
        "test.skip('left out', () => { throw new Error('ran'); });",
        'test.run();',
        "const more = suite('more', { marks: [] });",
        "more.before(({ marks }) => { marks.push('before'); });",
        "more.before.each(({ marks }) => { marks.push('each'); });",
        "more.after(() => { seen.push('after'); });",
        "more('has hooks', ({ marks }) => { assert.equal(marks, ['before', 'each']); });",
        "more('has a label', async () => { assert.is(await label(2), '2 EUR'); });",
        'more.run();',
        '',
      ].join('\n'),
    cases: ['of two', 'of none', 'more > has hooks', 'more > has a label'],
  },
  {
    program: 'ava',
    command: 'npx ava',
    spec: load =>
      [
        load('test', 'ava'),
        load('{ label, total }', '../src/price.js'),
        "test.beforeEach(t => { t.context.marks = ['each']; });",
        "test('of two', t => { t.is(total([1, 2]), 3); });",
        "test('of none', t => { t.is(total([]), 0); });",
        "test.skip('left out', t => { t.fail(); });",
        "test.serial('has hooks', t => { t.deepEqual(t.context.marks, ['each']); });",
        "test('has a label', async t => { t.is(await label(2), '2 EUR'); });",
        "test.failing('is known to fail', t => { t.is(1, 2); });",
        '',
      ].join('\n'),
    cases: ['has hooks', 'of two', 'of none', 'has a label', 'is known to fail'],
  },
  {
    program: 'tap',
    command: 'npx tap --disable-coverage',
    spec: load =>
      [
        load('t', 'tap'),
        load('{ label, total }', '../src/price.js'),
        'const marks = [];',
        "t.beforeEach(() => { marks.push('each'); });",
        "t.test('of two', t => { t.equal(total([1, 2]), 3); t.end(); });",
        "t.test('of none', t => { t.plan(1); t.equal(total([]), 0); });",
        "t.test('has hooks', t => { t.ok(marks.includes('each')); t.end(); });",
        "t.test('nested', t => {",
        "  t.test('has a label', async t => { t.equal(await label(2), '2 EUR'); });",
        '  t.end();',
        '});',
        "t.equal(typeof total, 'function');",
        '',
      ].join('\n'),
    cases: ['of two', 'of none', 'has hooks', 'nested', ''],
  },
];

const modules = {
  'ES modules': {
    type: 'module',
    load: (names: string, from: string) =>
      from === 'uvu/assert'
        ? `import * as ${names} from '${from}';`
        : `import ${names} from '${from}';`,
    text: (text: string) => text,
  },
  CommonJS: {
    type: 'commonjs',
    load: (names: string, from: string) => `const ${names} = require('${from}');`,
    text: asCommonJs,
  },
} as const;

/** The job of a candidate, ended by the first failure. */
async function tryText(adapter: RunnerAdapter, text: string): Promise<JobResult> {
  const runner = await adapter.open();
  const stages = stagesFor(adapter.base);
  const files = { 'src/price.js': text };
  const result = await runner.run({ files, stages, bail: true, coverage: false });
  runner.close();
  return result;
}

const endsOf = ({ cases }: Pick<JobResult, 'cases'>) =>
  [...new Map(cases.map(c => [c.id, c.status]))].map(c => c.join(' ')).sort();
const idOf = (name: string) => (name === '' ? 'test/price.js' : `test/price.js > ${name}`);

describe.each(suites)('$program', ({ program, command, spec, cases }) => {
  const installed = isAll && has(program);
  describe.runIf(installed)(installed ? needs(program) : '', () => {
    it.each(Object.entries(modules))('sees the cases of %s', async (_, { type, load, text }) => {
      const files = {
        'package.json': JSON.stringify({ name: 'shop', type }),
        'src/price.js': text(source),
        'test/price.js': spec(load),
      };
      const cloned = linkPackages(join(root, 'test', 'runners'));
      await withAdapter({ files, testCommand: command, cloned }, async (adapter, log) => {
        expect([adapter.name, log]).toEqual([`${program}, warm`, []]);
        const failed = idOf('of two');
        const expected = cases.map(c => `${idOf(c)} ${idOf(c) === failed ? 'failed' : 'passed'}`);
        expect(endsOf({ cases: adapter.base })).toEqual(expected.sort());
        // the values of the assertion, its place, and the lines that the case ran
        const found = adapter.base.find(c => c.id === failed);
        expect(found?.compared).toEqual({ actual: '2', expected: '3' });
        const line =
          spec(load)
            .split('\n')
            .findIndex(l => l.includes('of two')) + 1;
        expect(found?.frames).toContainEqual({ path: 'test/price.js', line });
        const ran = adapter.coverage.find(c => c.id === failed)?.files['src/price.js'] ?? [];
        expect([ran.includes(4), ran.includes(8)]).toEqual([true, false]);
        // the failing case alone first, then all
        const still = await tryText(adapter, text(`${source}// other\n`));
        expect(endsOf(still)).toEqual([`${failed} failed`]);
        const passed = cases.map(c => `${idOf(c)} passed`).sort();
        expect(endsOf(await tryText(adapter, text(right)))).toEqual(passed);
        const late = await tryText(adapter, text(endless));
        expect(late.cases.map(c => c.message)).toEqual([expect.stringContaining('out of time')]);
        expect(endsOf(await tryText(adapter, text(right)))).toEqual(passed);
      });
    });
  });
});

describe.runIf(isAll && has('uvu'))(isAll ? needs('uvu') : '', () => {
  it('requires the test files behind a module that compiles them', async () => {
    const test = [
      "import { test } from 'uvu';",
      "import * as assert from 'uvu/assert';",
      "import { total } from '../src/price';",
      'const expected: number = 3;',
      "test('of two', () => { assert.is(total([1, 2]), expected); });",
      'test.run();',
      '',
    ].join('\n');
    const typed = source.replace('total(prices)', 'total(prices: number[]): number');
    const checkout = {
      files: {
        'package.json': '{ "name": "shop" }',
        'tsconfig.json': '{ "compilerOptions": { "module": "commonjs", "target": "es2022" } }',
        'src/price.ts': typed,
        'test/price.ts': test,
      },
      testCommand: 'TS_NODE_TRANSPILE_ONLY=true npx uvu -r ts-node/register test',
      cloned: linkPackages(join(root, 'test', 'runners')),
    };
    await withAdapter(checkout, async (adapter, log) => {
      expect([adapter.name, log]).toEqual([expect.stringMatching(/^uvu, warm/), []]);
      const ran = adapter.coverage.find(c => c.id?.endsWith('of two'))?.files['src/price.ts'] ?? [];
      expect([ran.includes(4), ran.includes(8)]).toEqual([true, false]);
      const stages = stagesFor(adapter.base);
      const runner = await adapter.open();
      const files = { 'src/price.ts': typed.replace('i = 1', 'i = 0') };
      const result = await runner.run({ files, stages, bail: true, coverage: false });
      expect(endsOf(result)).toEqual(['test/price.ts > of two passed']);
      runner.close();
    });
  });
});

describe.runIf(isAll && has('ava'))(isAll ? needs('ava') : '', () => {
  const checkout = (test: string, ava: object = {}) => ({
    testCommand: 'npx ava',
    files: {
      'package.json': JSON.stringify({ name: 'shop', type: 'module', ava }),
      'src/price.js': source,
      'test/price.js': `import test from 'ava';\nimport { total } from '../src/price.js';\n${test}`,
    },
    cloned: linkPackages(join(root, 'test', 'runners')),
  });
  const failing = "test('of two', t => { t.is(total([1, 2]), 3); });\n";

  it('says which option of its configuration the thread does not follow', async () => {
    const configured = checkout(failing, { require: ['./src/price.js'] });
    await withAdapter(configured, (adapter, log) => {
      expect(adapter.name).toContain('the whole test command');
      expect(log.join('\n')).toContain('of its option "require"');
    });
  });

  it('gives the thread its variables, the arguments of Node, and files of other endings', async () => {
    const told = 'import process from "node:process";\n';
    const asked = `${told}${failing}test('is told', (t: object) => {
  t.deepEqual([process.env.SHOP, process.execArgv.includes('--no-deprecation')], ['open', true]);
});\n`;
    const { files, ...given } = checkout('', {
      environmentVariables: { SHOP: 'open' },
      nodeArguments: ['--no-deprecation'],
      extensions: { ts: 'module' },
    });
    const { 'test/price.js': head, ...others } = files;
    await withAdapter(
      { ...given, files: { ...others, 'test/price.ts': head + asked } },
      (adapter, log) => {
        expect([adapter.name, log]).toEqual(['ava, warm', []]);
        expect(endsOf({ cases: adapter.base })).toEqual([
          'test/price.ts > is told passed',
          'test/price.ts > of two failed',
        ]);
      },
    );
  });

  it('runs the files that its configuration names', async () => {
    const named = checkout(failing, { files: ['test/price.js'] });
    const files = { ...named.files, 'test/other.js': 'throw new Error("ran");\n' };
    await withAdapter({ ...named, files }, adapter => {
      expect([adapter.name, adapter.base.length]).toEqual(['ava, warm', 1]);
    });
  });

  it('counts a test whose hook fails as failed', async () => {
    const hook = "test.beforeEach(() => { total(null); });\ntest('of one', t => { t.pass(); });\n";
    await withAdapter(checkout(hook), adapter => {
      expect(adapter.base.map(c => c.status)).toEqual(['failed']);
    });
  });
});
