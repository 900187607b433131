/** The paths that decide which policy applies to a call. */
import { describe, expect, it } from 'vitest';
import { policyPaths } from '../../../src/guard/policy/policy-in-force.ts';
import { evidence } from '../judged.ts';

describe('the paths that decide which policy applies', () => {
  it('are those of the claims, the plan and the patch, in one spelling', () => {
    const plan = {
      entrySymbols: [],
      affectedFiles: ['./p//q', '../out'],
      scope: '',
      maxChangedLines: 1,
    };
    const seen = { ...evidence, plan, patchedFiles: new Set(['z']) };
    expect(
      policyPaths(
        [{ kind: 'read', path: './a' }, { kind: 'undo' }, { kind: 'read', path: '/x' }],
        seen,
      ),
    ).toEqual(['a', 'p/q', 'z']);
    expect(policyPaths([], evidence)).toEqual([]);
  });
});
