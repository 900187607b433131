/** The rows of WRITE_BYPASS. */
import { describe, expect, it } from 'vitest';
import { writeBypass } from '../../../src/guard/rules/write-bypass.ts';
import { judge, missing, playRows, strict } from './cases.ts';

playRows(writeBypass, 'violation WRITE_BYPASS §3.3', [
  [
    'a tracked file',
    [{ kind: 'redirect', path: './a.js' }],
    'run_command would write a.js; only apply_patch may change project files',
    { policy: strict, call: { tool: 'run_command' } },
  ],
  [
    'a tracked file, whose change is put back and shown',
    [{ kind: 'redirect', path: './a.js' }],
    'pass',
    { call: { tool: 'run_command' } },
  ],
  [
    'a log',
    [{ kind: 'redirect', path: 'x.log' }],
    'pass',
    { policy: strict, facts: { 'x.log': missing } },
  ],
  ['outside', [{ kind: 'redirect', path: '/tmp/x' }], 'pass', { policy: strict }],
]);

describe('WRITE_BYPASS by itself', () => {
  it('has no pattern for what is no path', () => {
    const claim = { kind: 'redirect', path: '../a.js' } as const;
    expect(judge(writeBypass, [claim], { policy: strict })).toBeUndefined();
  });
});
