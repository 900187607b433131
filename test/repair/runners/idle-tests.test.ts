/** A test that waits for nothing ends at once in a warm run, as it does in the real one. */
import { describe, expect, it } from 'vitest';
import { withAdapter } from '../../doubles/runner-context.ts';

const files = {
  'package.json': '{}',
  'queue.js': "exports.take = done => setTimeout(done, 40);\nexports.twice = n => n + ':';\n",
  'test/queue.test.js': [
    "const assert = require('node:assert/strict');",
    "const test = require('node:test');",
    "const { take, twice } = require('../queue.js');",
    "test('compares', () => assert.equal(twice('a'), 'a: '));",
    "test('takes', () => new Promise(done => take(done)));",
    '',
  ].join('\n'),
};

describe('a warm run', () => {
  it('ends a test that waits for nothing, waits for a timer, and shows what a test compared', async () => {
    await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
      expect(adapter.name).toBe('node:test, warm');
      expect(adapter.base.map(c => [c.status, c.compared])).toEqual([
        ['failed', { actual: 'a:', expected: 'a: ' }],
        ['passed', undefined],
      ]);
      const runner = await adapter.open();
      const never = {
        'queue.js': 'exports.take = () => {};\nexports.twice = n => `$' + '{n}: `;\n',
      };
      const stages = [{ tests: ['test/queue.test.js'], only: null }];
      const result = await runner.run({ files: never, stages, bail: true, coverage: false });
      expect(result.ended).toBe('done');
      expect(result.cases.map(c => [c.status, c.message])).toEqual([
        ['passed', undefined],
        ['failed', 'never ended, and waits for nothing'],
      ]);
      runner.close();
    });
  });
});

describe('options of node --test', () => {
  it.each([
    ['--test-isolation=none --test-concurrency 2', 'node:test, warm'],
    ["--test-name-pattern 'takes|compares'", expect.stringMatching(/^node:test, cold/)],
  ])(
    '%s: %s',
    (options, name) =>
      withAdapter({ files, testCommand: `node --test ${options}` }, (adapter, lines) => {
        expect(adapter.name, lines.join()).toEqual(name);
        expect(adapter.base.map(c => c.status)).toEqual(['failed', 'passed']);
      }),
    600_000,
  );
});
