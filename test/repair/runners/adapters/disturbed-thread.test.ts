/** A candidate that leaves a built-in object changed ends its thread, so that it disturbs no other candidate. */
import { describe, expect, it } from 'vitest';
import type { RunnerAdapter } from '../../../../src/repair/runners/test-runner.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';

const wrong = 'exports.sum = list => list.reduce((a, b) => a - b, 0);\n';
const right = 'exports.sum = list => list.reduce((a, b) => a + b, 0);\n';
// it counts how often it was loaded in its thread, and the message of a failing test shows it
const counting = 'globalThis.loads = (globalThis.loads ?? 0) + 1;\n';

const testFile = (more: readonly string[]) =>
  [
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    "const { sum } = require('../sum.js');",
    "test('adds', () => assert.equal(sum([1, 2]), 3));",
    "test('finds', () => assert.equal([1].includes(1), true));",
    ...more,
    '',
  ].join('\n');

/** The results of candidates in one thread after the other, with the messages of the failing cases. */
async function resultsOf(
  adapter: RunnerAdapter,
  texts: readonly string[],
): Promise<readonly { readonly ends: string; readonly messages: string }[]> {
  const runner = await adapter.open();
  const found = [];
  for (const text of texts) {
    const { cases } = await runner.run({
      files: { 'sum.js': text },
      stages: [{ tests: ['test/sum.test.js'], only: null }],
      bail: false,
      coverage: false,
    });
    const ends = cases.map(c => c.status).join(' ');
    found.push({ ends, messages: cases.map(c => c.message ?? '').join(' ') });
  }
  runner.close();
  return found;
}

const changes = [
  ['a method', 'Array.prototype.includes = () => false;'],
  [
    'a new property of every object',
    'Object.prototype.includes = 1; delete Array.prototype.includes;',
  ],
  [
    'a function of a module',
    "require('fs').existsSync = () => false; Array.prototype.includes = 1;",
  ],
  [
    'a method that the check itself could use',
    'Reflect.ownKeys = () => []; Array.prototype.includes = 1;',
  ],
] as const;

describe('the candidate behind one that leaves changed', () => {
  it.each(changes)(
    '%s is not disturbed',
    async (_, change) => {
      const files = { 'package.json': '{}', 'sum.js': wrong, 'test/sum.test.js': testFile([]) };
      await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
        expect(adapter.name).toBe('node:test, warm');
        const disturbing = `${change}\n${right}`;
        const found = await resultsOf(adapter, [right, disturbing, right, wrong]);
        expect(found.map(f => f.ends)).toEqual([
          'passed passed',
          'passed failed',
          'passed passed',
          'failed passed',
        ]);
      });
    },
    600_000,
  );
});

it('what the tests change without an edit ends no thread', async () => {
  const shows = "test('shows', () => assert.equal(globalThis.loads, 0));";
  const base = `${counting}${wrong}`;
  const files = { 'package.json': '{}', 'sum.js': base, 'test/sum.test.js': testFile([shows]) };
  await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
    expect(adapter.name).toBe('node:test, warm');
    const texts = [base, base, `process.env.LEFT = 'x';\n${base}`, base];
    const found = await resultsOf(adapter, texts);
    const loads = found.map(f => Number(/\b(\d+) !== 0/.exec(f.messages)?.[1]));
    const [first = 0, second = 0, third = 0, fourth = 0] = loads;
    expect([second > first, third > second]).toEqual([true, true]);
    // the third candidate leaves a variable, so the fourth one has a new thread
    expect(fourth).toBeLessThan(third);
  });
});
