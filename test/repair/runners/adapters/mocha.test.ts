/** Mocha runs warm as the project configures it: by options, files, hooks for all tests, and modules to require. */
import { expect, it } from 'vitest';
import { linkPackages } from '../../../doubles/installed.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { root } from '../../../root.ts';

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
  cloned: linkPackages(root),
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

it('with the lines of the sources that a required module compiles', async () => {
  // three lines in front of each source, and a source map that leads back
  const compiler = [
    "const { readFileSync } = require('node:fs');",
    "require.extensions['.ts'] = (module, path) => {",
    "  const text = readFileSync(path, 'utf8');",
    "  const mappings = ';;;AAAA' + ';AACA'.repeat(text.split('\\n').length - 1);",
    '  const map = JSON.stringify({ version: 3, sources: [path], names: [], mappings });',
    "  const data = Buffer.from(map).toString('base64');",
    "  const front = 'const one = 1;\\nconst two = 2;\\none + two;\\n';",
    "  const comment = '\\n//# sourceMappingURL=data:application/json;base64,' + data;",
    '  module._compile(front + text + comment, path);',
    '};',
    '',
  ].join('\n');
  const compiled = {
    'package.json': '{}',
    'compiler.js': compiler,
    'src/price.ts': [
      'exports.total = prices => {',
      '  return prices.slice(1).length;',
      '};',
      'exports.other = () => {',
      '  return 1;',
      '};',
      '',
    ].join('\n'),
    'spec/price.ts': [
      "const { total } = require('../src/price');",
      "it('of two', () => require('node:assert').equal(total([1, 2]), 2));",
      '',
    ].join('\n'),
  };
  const testCommand = 'mocha --require ./compiler.js spec/price.ts';
  await withAdapter({ ...checkout, files: compiled, testCommand }, adapter => {
    expect(adapter.name).toBe('mocha, warm');
    const ran = adapter.coverage.find(c => c.id === 'spec/price.ts > of two');
    expect(ran?.files['src/price.ts']).toEqual([1, 2]);
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

it.each([
  ['a module that it requires', 'mocha --require absent-hook spec/price.js', 'absent-hook', ''],
  ['a module that a test loads', 'mocha spec/price.js', 'absent-part', 'spec/price.js'],
])(
  'names %s and that is not installed',
  async (_what, testCommand, name, by) => {
    const absent = {
      'package.json': '{}',
      'spec/price.js': `${by === '' ? '' : `require('${name}');\n`}it('passes', () => {});\n`,
    };
    const opened = withAdapter({ ...checkout, files: absent, testCommand }, () => {});
    await expect(opened).rejects.toThrow(
      `The package "${name}" is not installed${by === '' ? '' : `: ${by} imports it`}. Install`,
    );
  },
  60_000,
);
