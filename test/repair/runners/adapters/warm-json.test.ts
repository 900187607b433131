/** The project's own vitest and jest stay open for all candidates. No candidate changes what the next one shows. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaseResult, Job, RunnerAdapter } from '../../../../src/repair/runners/test-runner.ts';
import { linkPackages } from '../../../doubles/installed.ts';
import { type LocalCheckout, withAdapter } from '../../../doubles/runner-context.ts';
import { has, needs } from '../../../programs.ts';
import { root } from '../../../root.ts';
import { isAll } from '../../../seed.ts';

const source = [
  'export const seen = [];',
  'export function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  'export function later(value) {',
  '  return Promise.resolve(value);',
  '}',
  '',
].join('\n');
const right = source.replace('i = 1', 'i = 0');

const spec = (imports: string) =>
  [
    imports,
    "describe('total', () => {",
    "  it('of two', () => {",
    '    seen.push(1);',
    '    expect([total([1, 2]), seen.length]).toEqual([3, 1]);',
    '  });',
    "  it('of none', () => expect(total([])).toBe(0));",
    '});',
    "it('waits', async () => expect(await later(5)).toBe(5));",
    "it.skip('is left out', () => expect(1).toBe(2));",
    '',
  ].join('\n');
const other = (imports: string) => `${imports}\nit('of one', () => expect(total([])).toBe(0));\n`;
/** A file that leaves replaced modules and timers behind. */
const replacing = (imports: string, tool: string) =>
  [
    imports,
    `${tool}.mock('../src/price.js', () => ({ total: () => 42 }));`,
    "it('mocked', () => {",
    `  ${tool}.useFakeTimers();`,
    '  expect(total([])).toBe(42);',
    '});',
    '',
  ].join('\n');

interface Runner {
  readonly name: 'vitest' | 'jest';
  readonly checkout: LocalCheckout;
  /** A text as the runner's modules have it. */
  readonly text: (text: string) => string;
}

const asCommonJs = (text: string) =>
  text.replaceAll('export ', '').concat('module.exports = { later, seen, total };\n');

const vitest: Runner = {
  name: 'vitest',
  text: text => text,
  checkout: {
    testCommand: 'vitest run',
    files: {
      'package.json': '{"type":"module"}',
      'src/price.js': source,
      'test/a.test.js': spec(
        "import { describe, expect, it } from 'vitest';\nimport { later, seen, total } from '../src/price.js';",
      ),
      'test/b.test.js': other(
        "import { expect, it } from 'vitest';\nimport { total } from '../src/price.js';",
      ),
      'test/c.test.js': replacing(
        "import { expect, it, vi } from 'vitest';\nimport { total } from '../src/price.js';",
        'vi',
      ),
    },
    cloned: linkPackages(root),
  },
};
const jest: Runner = {
  name: 'jest',
  text: asCommonJs,
  checkout: {
    testCommand: 'jest',
    files: {
      'package.json': '{}',
      'src/price.js': asCommonJs(source),
      'test/a.test.js': spec("const { later, seen, total } = require('../src/price.js');"),
      'test/b.test.js': other("const { total } = require('../src/price.js');"),
      'test/c.test.js': replacing("const { total } = require('../src/price.js');", 'jest'),
    },
    cloned: linkPackages(join(root, 'test', 'runners')),
  },
};

const ofTwo = 'test/a.test.js > total of two';
const tests = ['test/c.test.js', 'test/a.test.js', 'test/b.test.js'];
const ends = (cases: readonly CaseResult[]) =>
  Object.fromEntries(cases.map(c => [c.id.replace(/^.* > /, ''), c.status]));

/** Plays candidates one after another in one runner, and returns how their cases ended. */
async function playAll(
  adapter: RunnerAdapter,
  { text }: Runner,
  candidates: readonly (readonly [text: string, more?: Partial<Job>])[],
) {
  const runner = await adapter.open();
  const results = [];
  for (const [changed, more] of candidates) {
    const stages = [{ tests, only: null }];
    const files = { 'src/price.js': text(changed) };
    const job = { files, stages, bail: false, coverage: false, ...more };
    const { ended, cases, coverage } = await runner.run(job);
    results.push({ ended, cases: ends(cases), messages: cases.map(c => c.message), coverage });
  }
  runner.close();
  return results;
}

const passes = { 'total of two': 'passed', 'total of none': 'passed', waits: 'passed' };
const whole = { mocked: 'passed', ...passes, 'is left out': 'skipped', 'of one': 'passed' };
const broken = { ...whole, 'total of two': 'failed' };

for (const runner of [vitest, jest]) {
  const { name, checkout } = runner;
  const isHere = name === 'vitest' || (isAll && has('jest'));
  describe.runIf(isHere)(
    `${name} stays open ${name === 'jest' && isAll ? needs('jest') : ''}`,
    () => {
      it('with the results and the lines of the real run', async () => {
        await withAdapter(checkout, (adapter, log) => {
          expect(log).toEqual([]);
          expect(adapter.name).toBe(`${name}, warm`);
          expect(ends(adapter.base)).toEqual(broken);
          const failed = adapter.base.find(c => c.status === 'failed');
          expect(failed?.frames?.[0]).toMatchObject({ path: 'test/a.test.js' });
          expect(failed?.compared?.actual.replace(/\s/g, '')).toMatch(/^(?:Array)?\[2,1,?\]$/);
          const lines = Object.fromEntries(
            adapter.coverage.map(c => [c.id, c.files['src/price.js'] ?? []]),
          );
          expect(lines[ofTwo]).toEqual(expect.arrayContaining([3, 4, 5]));
          expect(lines['test/a.test.js > waits']).toContain(8);
          expect(lines['test/a.test.js > waits']).not.toContain(4);
        });
      }, 60_000);

      it('for candidates that pass, fail, do not parse, never end or wait for nothing', async () => {
        await withAdapter(checkout, async adapter => {
          const endless = source.replace('let sum = 0;', 'let sum = 0; for (;;);');
          const waiting = right.replace('Promise.resolve(value)', 'new Promise(() => {})');
          const played = await playAll(adapter, runner, [
            [right],
            ['{{{'],
            [endless],
            [waiting],
            [source],
            [right],
          ]);
          expect(played.map(p => p.ended)).toEqual(Array(6).fill('done'));
          expect(played.map(p => p.cases)).toEqual([
            whole,
            { mocked: 'passed', 'test/a.test.js': 'failed', 'test/b.test.js': 'failed' },
            { ...broken, 'total of none': 'failed', 'of one': 'failed' },
            { ...whole, waits: 'failed' },
            broken,
            whole,
          ]);
          expect(played[2]?.messages.join('\n')).toContain('ran out of time');
        });
      }, 60_000);

      it('although a candidate ends the process, with the text of the base for the next one', async () => {
        await withAdapter(checkout, async adapter => {
          const kills = `process.kill(process.pid, 'SIGKILL');\n${right}`;
          const played = await playAll(adapter, runner, [
            [kills],
            [source, { files: {} }],
            [right],
          ]);
          expect(played.map(p => p.ended)).toEqual(['crash', 'done', 'done']);
          expect(played.slice(1).map(p => p.cases)).toEqual([broken, whole]);
        });
      }, 60_000);

      it('for job after job, each with a time of its own', async () => {
        await withAdapter(checkout, async adapter => {
          const limits = { loadMs: 60_000, cpuMs: 1_500, wallMs: 60_000 };
          const opened = await adapter.open();
          let spent = 0;
          for (let i = 0; spent < 2 * limits.cpuMs; i++) {
            const files = { 'src/price.js': runner.text(`${right}// ${i}\n`) };
            const stages = [{ tests, only: null }];
            const result = await opened.run({
              files,
              stages,
              bail: false,
              coverage: false,
              limits,
            });
            expect([result.ended, ends(result.cases)]).toEqual(['done', whole]);
            spent += Math.max(1, result.cpuMs);
          }
          opened.close();
        });
      }, 60_000);

      it('and lets no candidate find what another one left in its globals', async () => {
        await withAdapter(checkout, async adapter => {
          const twice = `if (globalThis.loads) throw new Error('twice');\nglobalThis.loads = 1;\n${right}`;
          const stages = [{ tests: ['test/b.test.js'], only: null }];
          const played = await playAll(adapter, runner, [
            [twice, { stages }],
            [twice, { stages }],
          ]);
          expect(played.map(p => p.cases)).toEqual([
            { 'of one': 'passed' },
            { 'of one': 'passed' },
          ]);
        });
      }, 60_000);

      it('and runs only some cases, or until the first failure', async () => {
        await withAdapter(checkout, async adapter => {
          const only = [{ tests: ['test/a.test.js'], only: [ofTwo] }];
          const played = await playAll(adapter, runner, [
            [right, { stages: only }],
            [source, { bail: true }],
            [right, { coverage: true }],
          ]);
          expect(played.slice(0, 2).map(p => p.cases)).toEqual([
            { 'total of two': 'passed' },
            expect.objectContaining({ 'total of two': 'failed' }),
          ]);
          expect(played[1]?.cases).not.toHaveProperty('total of none');
          expect(played[2]?.coverage.map(c => c.id)).toContain(ofTwo);
        });
      }, 60_000);
    },
  );
}

it('vitest with a worker for each test file has the lines of each case, too', async () => {
  const { files } = vitest.checkout;
  const path = 'test/b.test.js';
  // a file with an environment that nobody knows
  const environment = [
    'export default {',
    "  name: 'own',",
    "  transformMode: 'ssr',",
    "  viteEnvironment: 'ssr',",
    '  setup: () => ({ teardown: () => {} }),',
    '};',
    '',
  ].join('\n');
  const own = {
    ...files,
    'own.js': environment,
    [path]: `// @vitest-environment ./own.js\n${files[path]}`,
  };
  await withAdapter({ ...vitest.checkout, files: own }, adapter => {
    expect(adapter.name).toBe('vitest, warm');
    expect(adapter.further).toBeLessThan(60);
    const lines = adapter.coverage.find(c => c.id === ofTwo)?.files['src/price.js'];
    expect(lines).toEqual(expect.arrayContaining([3, 4, 5]));
  });
}, 60_000);

it('vitest with projects has a thread for each of them', async () => {
  const { files } = vitest.checkout;
  const project = (name: string, more: string) =>
    `{ test: { name: '${name}', include: ['test/${name}.test.js'], ${more} } }`;
  const checkout: LocalCheckout = {
    ...vitest.checkout,
    files: {
      ...files,
      'vitest.config.js': `export default { test: { projects: [${project('a', 'globals: true')}, ${project('{b,c}', "setupFiles: ['test/prepare.js']")}] } };\n`,
      'test/prepare.js': "globalThis.prepared = 'yes';\n",
      'test/b.test.js': [
        "import { expect, it } from 'vitest';",
        "import { total } from '../src/price.js';",
        "it('of one', () => expect([total([]), globalThis.prepared]).toEqual([0, 'yes']));",
        "it('of three', () => expect(total([1, 2, 4])).toBe(7));",
      ].join('\n'),
    },
  };
  await withAdapter(checkout, async (adapter, log) => {
    expect(log).toEqual([]);
    expect(adapter.further).toBeGreaterThan(60);
    const lines = adapter.coverage.find(c => c.id === 'test/b.test.js > of three');
    expect(lines?.files['src/price.js']).toEqual(expect.arrayContaining([3, 4, 5]));
    const [first, again, failing, one] = await playAll(adapter, vitest, [
      [right],
      [source],
      [source, { bail: true }],
      [right, { stages: [{ tests: ['test/b.test.js'], only: ['test/b.test.js > of three'] }] }],
    ]);
    expect(first?.cases).toMatchObject({
      'total of two': 'passed',
      'of three': 'passed',
      mocked: 'passed',
    });
    expect(again?.cases).toMatchObject({
      'total of two': 'failed',
      'of three': 'failed',
      mocked: 'passed',
    });
    // the other thread does not begin
    expect(Object.values(failing?.cases ?? {}).filter(s => s === 'failed')).toHaveLength(1);
    expect(one?.cases).toEqual({ 'of three': 'passed' });
  });
}, 60_000);

it('vitest adds the hooks of a package to each file, although the package is loaded once', async () => {
  const hooks = 'afterEach(() => { globalThis.ended = (globalThis.ended ?? 0) + 1; });\n';
  const file = [
    "import 'adds-hooks';",
    "import { total } from '../src/price.js';",
    "it('first', () => { globalThis.ended = 0; });",
    "it('second', () => expect(globalThis.ended).toBe(1));",
    "it('of two', () => expect(total([1, 2])).toBe(3));",
    '',
  ].join('\n');
  const checkout: LocalCheckout = {
    testCommand: 'vitest run --globals',
    files: {
      'package.json': '{"type":"module"}',
      'src/price.js': source,
      'test/a.test.js': file,
      'test/b.test.js': file,
    },
    cloned: workspace => {
      const own = join(workspace, 'node_modules');
      mkdirSync(join(own, 'adds-hooks'), { recursive: true });
      writeFileSync(join(own, 'adds-hooks', 'index.js'), hooks);
      for (const name of ['vitest', '.bin'])
        symlinkSync(join(root, 'node_modules', name), join(own, name));
    },
  };
  await withAdapter(checkout, async (adapter, log) => {
    expect(log).toEqual([]);
    expect(adapter.further).toBeGreaterThan(100);
    const stages = [{ tests: ['test/a.test.js', 'test/b.test.js'], only: null }];
    const played = await playAll(adapter, vitest, [
      [right, { stages }],
      [source, { stages }],
    ]);
    const ended = { first: 'passed', second: 'passed' };
    expect(played.map(p => p.cases)).toEqual([
      { ...ended, 'of two': 'passed' },
      { ...ended, 'of two': 'failed' },
    ]);
  });
}, 60_000);
