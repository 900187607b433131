/** A bound on the coverage, which a patch with a new branch reaches by its own tests alone. */
import { expect, it } from 'vitest';
import { plainSearchPath } from '../doubles/installed.ts';
import { done, prove, sampleFiles } from '../doubles/sample.ts';
import { activate, call, turnOf } from '../doubles/steps.ts';
import { play } from './scenario.ts';

const bound = '--experimental-test-coverage --test-coverage-branches=100';
const test = `node --test ${bound} --test-reporter=spec`;
const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test } }),
  'src/price.js': (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)'),
};
const begin = turnOf(
  'Orders of a club ship for free, so I plan one branch and its test.',
  activate('code-modify'),
  call('plan', {
    entry_symbols: ['shipsFree'],
    affected_files: ['src/price.js', 'test/price.test.js'],
    scope: 'ship orders of a club for free',
  }),
  call('read_code_block', {
    requests: [
      { file_path: 'src/price.js', start_line: 1, end_line: 10 },
      { file_path: 'test/price.test.js', start_line: 1, end_line: 11 },
    ],
  }),
);
const patch = turnOf(
  'The branch and its test go in.',
  call('apply_patch', {
    files: [
      {
        path: 'src/price.js',
        edits: [
          {
            start_line: 8,
            content:
              'export function shipsFree(total, isClub = false) {\n  if (isClub) {\n    return true;\n  }',
          },
        ],
      },
      {
        path: 'test/price.test.js',
        edits: [
          {
            start_line: 11,
            content:
              "});\n\ntest('orders of a club ship for free', () => {\n  assert.equal(shipsFree(1, true), true);\n});",
          },
        ],
      },
    ],
  }),
);

it('accepts the added tests, and says that the bound fails without them', async () => {
  const env = { PATH: plainSearchPath() };
  const task = 'shipsFree in src/price.js takes a second value, isClub: such orders ship for free.';
  const script = [begin, patch, prove, done];
  await play({ script, task, env, files }, ({ outcome, log }) => {
    expect(outcome, log).toMatchObject({
      status: 'committed',
      verification: {
        passed: true,
        warnings: [expect.stringContaining('every test case passes and the test command fails')],
      },
    });
    expect(outcome.patch.files.map(f => [f.path, f.flag])).toEqual([
      ['src/price.js', undefined],
      ['test/price.test.js', undefined],
    ]);
  });
});
