/** What the guard decides about one call. */
import { describe, expect, it } from 'vitest';
import { decide, decideAfter, policyPaths } from '../../src/guard/decide.ts';
import { evidence } from './judged.ts';
import { answer, strict as byLetter, caseOf, policy, read } from './rules/cases.ts';

describe('the guard', () => {
  it('passes a call with all its evidence', () => {
    expect(answer([read('a.js', 1, 4)])).toBe('pass');
    expect(answer([])).toBe('pass');
  });

  it('takes the class of a rule from the law', () => {
    const strict = { ...byLetter, rules: { ...policy.rules, THINK_MISSING: 'violation' as const } };
    expect(answer([], { evidence: { thought: '' }, policy: strict })).toMatch(
      /^violation THINK_MISSING/,
    );
  });

  it('refuses with abstain alone; the class of the rule is its severity', () => {
    expect(decide(caseOf([read('../x', 1)]))).toMatchObject({
      state: 'abstain',
      severity: 'abort',
    });
    const noPlan = caseOf([read('a.js', 1)], { evidence: { plan: undefined }, policy: byLetter });
    expect(decide(noPlan)).toMatchObject({ state: 'abstain', severity: 'correct' });
  });

  it('makes a failure after a pass a degrade, and leaves a pass a pass', () => {
    expect(decideAfter(undefined)).toEqual({ state: 'pass' });
    expect(decideAfter('boom')).toEqual({
      state: 'degrade',
      code: 'TOOL_FAILED',
      section: 'none',
      evidence: 'boom',
    });
  });
});

describe('the paths that decide which policy applies', () => {
  it('are those of the claims, the plan and the patch, in one spelling', () => {
    const plan = { affectedFiles: ['./p//q', '../out'], maxChangedLines: 1 };
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
