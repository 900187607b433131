/** A candidate that changes a built-in object disturbs the next one in its thread, and none in a new thread. */
import { expect, it } from 'vitest';
import { withAdapter } from '../doubles/runner-context.ts';

const files = {
  'package.json': '{}',
  'sum.js': 'exports.sum = list => list.reduce((a, b) => a - b, 0);\n',
  'test/sum.test.js': [
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    "const { sum } = require('../sum.js');",
    "test('adds', () => assert.equal(sum([1, 2]), 3));",
    "test('finds', () => assert.equal([1].includes(1), true));",
    '',
  ].join('\n'),
};
const right = { 'sum.js': 'exports.sum = list => list.reduce((a, b) => a + b, 0);\n' };
const disturbing = {
  'sum.js': 'Array.prototype.includes = () => false;\nexports.sum = () => 0;\n',
};

it('a new thread is not disturbed by an earlier candidate', async () => {
  await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
    expect(adapter.name).toBe('node:test, warm');
    const runner = await adapter.open();
    const stages = [{ tests: ['test/sum.test.js'], only: null }];
    const endsOf = async (candidate: Readonly<Record<string, string>>, fresh: boolean) => {
      const job = { files: candidate, stages, bail: false, coverage: false };
      const { cases } = await runner.run(fresh ? { ...job, fresh } : job);
      return cases.map(c => c.status);
    };
    expect(await endsOf(right, false)).toEqual(['passed', 'passed']);
    expect(await endsOf(disturbing, false)).toEqual(['failed', 'failed']);
    expect(await endsOf(right, false)).toEqual(['passed', 'failed']);
    expect(await endsOf(right, true)).toEqual(['passed', 'passed']);
    runner.close();
  });
}, 60_000);
