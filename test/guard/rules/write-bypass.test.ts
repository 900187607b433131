/** The rows of WRITE_BYPASS. */
import { describe, expect, it } from 'vitest';

import { writeBypass } from '../../../src/guard/rules/write-bypass.ts';
import { judge, missing, playRows } from './cases.ts';

playRows(writeBypass, [
  [
    'a tracked file',
    [{ kind: 'redirect', path: './a.js' }],
    'violation WRITE_BYPASS §3.3 run_command would write a.js; only apply_patch may change project files',
    { call: { tool: 'run_command' } },
  ],
  ['a log', [{ kind: 'redirect', path: 'x.log' }], 'pass', { facts: { 'x.log': missing } }],
  ['outside', [{ kind: 'redirect', path: '/tmp/x' }], 'pass'],
]);

describe('WRITE_BYPASS by itself', () => {
  it('has no pattern for what is no path', () => {
    expect(judge(writeBypass, [{ kind: 'redirect', path: '../a.js' }])).toBeUndefined();
  });
});
