/** Mocha runs warm as the project configures it: by options, files, hooks for all tests, and modules to require. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withAdapter } from '../doubles/runner-context.ts';
import { root } from '../root.ts';

const source = 'exports.total = prices => prices.slice(1).reduce((a, b) => a + b, 0);\n';
const right = source.replace('.slice(1)', '');

const spec = [
  "const { total } = require('../../src/price.js');",
  "suite('total', () => {",
  "  test('of two', () => check.equal(total([1, 2]), 3));",
  "  test('waits', done => setTimeout(done, 30));",
  "  test('sees the hooks', () => check.deepEqual(hooks, ['root', 'file']));",
  '});',
  '',
].join('\n');

const files = {
  'package.json': '{}',
  'src/price.js': source,
  '.mocharc.yml': 'ui: tdd\nrecursive: true\nspec: spec\nfile: ./spec/first.js\n',
  'helpers/setup.js': [
    "global.check = require('node:assert');",
    'global.hooks = [];',
    'exports.mochaHooks = {',
    "  beforeAll() { hooks.push('root'); },",
    '};',
    '',
  ].join('\n'),
  'spec/first.js': "suiteSetup(() => hooks.push('file'));\n",
  'spec/deep/price.js': spec,
};

const checkout = {
  files,
  testCommand: 'A=1 mocha --require helpers/setup.js --timeout 1s --exit -R dot',
  cloned: (folder: string) => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')),
};
const ids = ['of two', 'waits', 'sees the hooks'].map(n => `spec/deep/price.js > total > ${n}`);

it('with options, a configuration file, required modules and their hooks', async () => {
  await withAdapter(checkout, async (adapter, log) => {
    expect(log).toEqual([]);
    expect(adapter.name).toBe('mocha, warm');
    expect(adapter.base.map(c => [c.id, c.status])).toEqual([
      [ids[0], 'failed'],
      [ids[1], 'passed'],
      [ids[2], 'passed'],
    ]);
    const runner = await adapter.open();
    for (const [text, status] of [
      [right, 'passed'],
      [source, 'failed'],
      [right, 'passed'],
    ] as const) {
      const stages = [{ tests: ['spec/deep/price.js'], only: null }];
      const job = { files: { 'src/price.js': text }, stages, bail: false, coverage: false };
      const { cases } = await runner.run(job);
      expect(cases.map(c => c.status)).toEqual([status, 'passed', 'passed']);
    }
    runner.close();
  });
}, 60_000);

it('takes a process for each candidate with an option that it would not follow, and says which', async () => {
  await withAdapter(
    { ...checkout, testCommand: `${checkout.testCommand} --grep total` },
    (adapter, log) => {
      expect(log).toEqual(['Repair: mocha does not run warm, because of its option "grep".']);
      expect(adapter.name).toBe('mocha, a process for each candidate');
      expect(adapter.base.filter(c => c.status === 'failed').map(c => c.id)).toEqual([
        'spec/deep/price.js > total of two',
      ]);
    },
  );
}, 60_000);
