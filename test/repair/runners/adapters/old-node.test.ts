/** Under Node 20, which has no hooks of modules in the same thread, each candidate takes a process. */
import { describe, expect, it } from 'vitest';
import { tryJobs, withAdapter } from '../../../doubles/runner-context.ts';
import { has, needs, node20 } from '../../../programs.ts';

const add = (sign: string) => `export const add = (a, b) => a ${sign} b;\n`;
const twice = (factor: string) => `exports.twice = n => n * ${factor};\n`;

const files = {
  'package.json': '{"type":"module"}',
  'src/add.js': add('-'),
  'src/twice.cjs': twice('3'),
  // loads an ES module from one that is none
  'src/late.cjs': "exports.late = async n => (await import('./add.js')).add(n, 1);\n",
  'test/add.test.js': [
    "import assert from 'node:assert/strict';",
    "import { describe, it } from 'node:test';",
    "import { add } from '../src/add.js';",
    "import late from '../src/late.cjs';",
    "import two from '../src/twice.cjs';",
    "describe('add', () => {",
    "  it('adds', () => assert.equal(add(2, 1), 3));",
    "  it('adds later', async () => assert.equal(await late.late(4), 5));",
    "  it('doubles', () => assert.equal(two.twice(2), 4));",
    "  it('adds nothing', () => assert.equal(add(2, 0), 2));",
    '});',
    '',
  ].join('\n'),
};

describe.runIf(has('node20'))(`under Node 20 ${needs('node20')}`, () => {
  const path = `${node20()}:${process.env.PATH}`;

  it('node:test takes a process for each candidate, and the log says why', async () => {
    await withAdapter({ files, testCommand: 'node --test', path }, async (adapter, log) => {
      expect(adapter.name).toMatch(/^node:test, cold/);
      expect(log.join('\n')).toContain('has no module hooks in a thread');
      expect(adapter.base.map(c => c.status)).toEqual(['failed', 'failed', 'failed', 'passed']);
      const [one, other] = [{ 'src/add.js': add('+') }, { 'src/twice.cjs': twice('2') }];
      const right = { ...one, ...other };
      const jobs = [{}, right, one, other, right].map(changed => ({ files: changed }));
      expect(await tryJobs(adapter, jobs)).toEqual([false, true, false, false, true]);
    });
  });
});

it('the log and the report say why each candidate takes a process', async () => {
  const own = {
    'package.json': '{"type":"module"}',
    'a.test.js': [
      "import assert from 'node:assert/strict';",
      "import { isMainThread } from 'node:worker_threads';",
      "import { it } from 'node:test';",
      "it('runs in the main thread', () => assert.ok(isMainThread));",
      "it('fails', () => assert.ok(false));",
      '',
    ].join('\n'),
  };
  await withAdapter({ files: own, testCommand: 'node --test' }, (adapter, log) => {
    expect(adapter.name).toMatch(/^node:test, cold/);
    expect(adapter.slow).toMatch(/^each candidate takes a process, because "a\.test\.js > runs/);
    expect(log).toEqual([
      'Repair: each candidate takes a process, because "a.test.js > runs in the main thread" ended in another way in the warm runner than in the real run.',
    ]);
  });
});
