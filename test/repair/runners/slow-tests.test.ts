/** Time limits by case: a slow test is no endless one, and an endless candidate in a quick test ends soon. */
import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import { wasLate } from '../../../src/repair/runners/agree.ts';
import type { RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { passesAll, stagesFor } from '../../../src/repair/search/search.ts';
import { install } from '../../doubles/installed.ts';
import { withAdapter } from '../../doubles/runner-context.ts';
import { has, needs } from '../../programs.ts';
import { isAll } from '../../seed.ts';

const limitMs = 240_000;

const script = (exported: string, more = '') =>
  [
    `${exported}function total(prices) {`,
    '  let sum = 0;',
    '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
    '  return sum;',
    '}',
    '',
    // longer than the first limit of a case
    `${exported}function slow() {`,
    '  const used = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b);',
    '  const until = used() + 2_300_000;',
    '  while (used() < until);',
    '  return true;',
    '}',
    '',
    more,
  ].join('\n');

const python = [
  'import time',
  '',
  'def total(prices):',
  '    sum = 0',
  '    i = 1',
  '    while i < len(prices):',
  '        sum += prices[i]',
  '        i += 1',
  '    return sum',
  '',
  'def slow():',
  '    until = time.process_time() + 2.3',
  '    while time.process_time() < until:',
  '        pass',
  '    return True',
  '',
].join('\n');

/** The tests in the order of these words. */
type Order = readonly ('slow' | 'sum' | 'none')[];
const slowFirst: Order = ['slow', 'sum', 'none'];
const slowLast: Order = ['sum', 'none', 'slow'];

const inOrder = (order: Order, tests: Record<Order[number], string>) =>
  order.map(name => tests[name]);

const nodeTests = (order: Order) => ({
  'package.json': '{"type":"module"}',
  'src/price.js': script('export '),
  'test/price.test.js': [
    "import assert from 'node:assert/strict';",
    "import { it } from 'node:test';",
    "import { slow, total } from '../src/price.js';",
    ...inOrder(order, {
      slow: "it('slow', () => assert.ok(slow()));",
      sum: "it('sum', () => assert.equal(total([1, 2, 4]), 7));",
      none: "it('none', () => assert.equal(total([]), 0));",
    }),
  ].join('\n'),
});

const mochaTests = (order: Order) => ({
  'package.json': '{}',
  'src/price.js': script('', 'module.exports = { slow, total };'),
  'test/price.js': [
    "const assert = require('node:assert');",
    "const { slow, total } = require('../src/price.js');",
    ...inOrder(order, {
      slow: "it('slow', function () { this.timeout(60_000); assert.ok(slow()); });",
      sum: "it('sum', () => assert.equal(total([1, 2, 4]), 7));",
      none: "it('none', () => assert.equal(total([]), 0));",
    }),
  ].join('\n'),
});

const scriptTests = (order: Order) => ({
  'package.json': '{}',
  'src/price.js': script('', 'module.exports = { slow, total };'),
  'test/price.js': [
    "const assert = require('node:assert');",
    "const { slow, total } = require('../src/price.js');",
    ...inOrder(order, {
      slow: 'assert.ok(slow());',
      sum: 'assert.equal(total([1, 2, 4]), 7);',
      none: 'assert.equal(total([]), 0);',
    }),
  ].join('\n'),
});

const pythonTests = (order: Order) => ({
  'price.py': python,
  'test_price.py': [
    'import unittest',
    'from price import slow, total',
    '',
    'class PriceTest(unittest.TestCase):',
    ...inOrder(order, {
      slow: 'slow(): self.assertTrue(slow())',
      sum: 'sum(): self.assertEqual(total([1, 2, 4]), 7)',
      none: 'none(): self.assertEqual(total([]), 0)',
    }).map((test, i) => `    def test_${i}_${test.replace('()', '(self)')}`),
    '',
  ].join('\n'),
});

const right = { js: ['let i = 1', 'let i = 0'], py: ['i = 1', 'i = 0'] } as const;
const endless = { js: ['i += 1', 'i += 0'], py: ['i += 1', 'i += 0'] } as const;

/** Runs the right and an endless candidate as the search does. */
async function tried(files: Readonly<Record<string, string>>, adapter: RunnerAdapter) {
  const path = files['price.py'] === undefined ? 'src/price.js' : 'price.py';
  const kind = path === 'price.py' ? 'py' : 'js';
  const runner = await adapter.open();
  const run = ([from, to]: readonly [string, string]) => {
    const text = files[path] ?? '';
    const start = text.indexOf(from);
    const edits = [{ start, end: start + from.length, text: to }];
    const changed = { [path]: applyTextEdits(text, edits) };
    const stages = stagesFor(adapter.base);
    return runner.run({ files: changed, stages, bail: true, coverage: false });
  };
  const results = { loops: await run(endless[kind]), fixed: await run(right[kind]) };
  runner.close();
  return results;
}

async function expectTime(files: Readonly<Record<string, string>>, command: string, name: string) {
  const cloned = (folder: string) => (command === 'mocha' ? install(folder, 'mocha') : undefined);
  await withAdapter({ files, testCommand: command, cloned }, async adapter => {
    expect(adapter.name).toBe(name);
    const { fixed, loops } = await tried(files, adapter);
    // a plain script ends at its first failed assertion
    const failed = adapter.base.filter(c => c.status === 'failed');
    expect(failed.map(c => c.message?.includes('ran out of time') ?? false)).toEqual([false]);
    expect(fixed).toMatchObject({ ended: 'done' });
    expect(passesAll(fixed, adapter.base)).toBe(true);
    expect(wasLate(loops)).toBe(true);
    // the slow test alone may take ten times its own 2.3 s
    const before = command.startsWith('node test') ? 4_000 : 0;
    expect(loops.cpuMs).toBeLessThan(before + 4_000);
  });
}

describe('a slow test among quick ones', () => {
  const javascript = [
    ['node:test, warm', 'node --test', nodeTests, 'slow first', slowFirst],
    ['node:test, warm', 'node --test', nodeTests, 'slow last', slowLast],
    ['mocha, warm', 'mocha', mochaTests, 'slow first', slowFirst],
    ['mocha, warm', 'mocha', mochaTests, 'slow last', slowLast],
    ['a node script, warm', 'node test/price.js', scriptTests, 'slow first', slowFirst],
    ['a node script, warm', 'node test/price.js', scriptTests, 'slow last', slowLast],
  ] as const;
  // each runs the slow test several times
  it.runIf(isAll).each(javascript)(
    '%s: $3',
    async (name, command, filesOf, _, order) => {
      await expectTime(filesOf(order), command, name);
    },
    limitMs,
  );

  const orders = [
    ['slow first', slowFirst],
    ['slow last', slowLast],
  ] as const;
  it.runIf(isAll && has('python3')).each(orders)(
    `unittest: %s ${isAll ? needs('python3') : ''}`,
    async (_, order) => {
      await expectTime(pythonTests(order), 'python3 -m unittest', 'unittest, warm');
    },
    limitMs,
  );
});

it('a quick case has less time in a thread that has run a job', async () => {
  const busy = [
    "import { it } from 'node:test';",
    'const used = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b);',
    "it('busy', () => {",
    '  const until = used() + 200_000;',
    '  while (used() < until);',
    '});',
    "it('fails', () => { throw new Error('always'); });",
  ].join('\n');
  const files = { 'package.json': '{"type":"module"}', 'busy.test.js': busy };
  await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
    const runner = await adapter.open();
    const limits = { loadMs: 9_000, cpuMs: 9_000, wallMs: 60_000, waitMs: 60_000, byCase: {} };
    const run = () =>
      runner.run({
        files: {},
        stages: [{ tests: ['busy.test.js'], only: ['busy.test.js > busy'] }],
        bail: true,
        coverage: false,
        limits: { ...limits, caseMs: 9_000, startedCaseMs: 20 },
      });
    const [first, second] = [await run(), await run()];
    expect([first, second].map(r => r.cases.map(c => c.status))).toEqual([['passed'], ['failed']]);
    expect([first, second].map(wasLate)).toEqual([false, true]);
    runner.close();
  });
});
