/** The real tap runs warm, case by case; the real uvu and ava run whole for each candidate, and both see the same cases. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobResult, RunnerAdapter } from '../../../../src/repair/runners/test-runner.ts';
import { passesAll, stagesFor } from '../../../../src/repair/search/search.ts';
import { linkPackages } from '../../../doubles/installed.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { has, needs, type Program } from '../../../programs.ts';
import { root } from '../../../root.ts';
import { isAll } from '../../../seed.ts';

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
  /** Whether it names each case with its file, values and place, and runs the failing ones alone. */
  readonly warm: boolean;
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
    // those that pass are counted
    cases: ['of two', 'number of tests: 4'],
    warm: false,
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
    warm: false,
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
    warm: true,
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

/** The right text passes all cases. */
async function expectRight(adapter: RunnerAdapter, text: string, ends: readonly string[]) {
  const result = await tryText(adapter, text);
  expect([result.ended, endsOf(result)]).toEqual(['done', ends]);
  expect(passesAll(result, adapter.base)).toBe(true);
}

describe.each(suites)('$program', ({ program, command, spec, cases, warm }) => {
  const installed = isAll && has(program);
  const idOf = (name: string) =>
    warm ? ['test/price.js', name].filter(part => part !== '').join(' > ') : name;
  describe.runIf(installed)(installed ? needs(program) : '', () => {
    it.each(Object.entries(modules))('sees the cases of %s', async (_, { type, load, text }) => {
      const files = {
        'package.json': JSON.stringify({ name: 'shop', type }),
        'src/price.js': text(source),
        'test/price.js': spec(load),
      };
      const cloned = linkPackages(join(root, 'test', 'runners'));
      await withAdapter({ files, testCommand: command, cloned }, async (adapter, log) => {
        const name = warm ? `${program}, warm` : 'the whole test command for each candidate';
        expect([adapter.name, log]).toEqual([name, []]);
        const failed = idOf('of two');
        const expected = cases.map(c => `${idOf(c)} ${idOf(c) === failed ? 'failed' : 'passed'}`);
        const seen = endsOf({ cases: adapter.base }).filter(end => !end.endsWith(' skipped'));
        expect(seen).toEqual(expected.sort());
        // the place of the assertion, and the lines that the case ran
        const found = adapter.base.find(c => c.id === failed);
        const line =
          spec(load)
            .split('\n')
            .findIndex(l => l.includes('of two')) + 1;
        expect(found?.frames).toContainEqual({ path: 'test/price.js', line });
        const covered = adapter.coverage.find(c =>
          warm ? c.id === failed : c.file === found?.file,
        );
        const ran = covered?.files['src/price.js'] ?? [];
        expect([ran.includes(4), ran.includes(8)]).toEqual([true, !warm]);
        if (warm) expect(found?.compared).toEqual({ actual: '2', expected: '3' });
        const passed = endsOf({ cases: adapter.base })
          .map(end => end.replace(/ failed$/, ' passed'))
          .sort();
        // a warm runner tries the failing case alone first
        const still = await tryText(adapter, text(`${source}// other\n`));
        expect(endsOf(still)).toContain(`${failed} failed`);
        expect(passesAll(still, adapter.base)).toBe(false);
        await expectRight(adapter, text(right), passed);
        const late = await tryText(adapter, text(endless));
        expect(passesAll(late, adapter.base)).toBe(false);
        if (warm)
          expect(late.cases.map(c => c.message)).toEqual([expect.stringContaining('out of time')]);
        await expectRight(adapter, text(right), passed);
      });
    });
  });
});
