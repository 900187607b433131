/** Constraints that a question can name. */
import { describe, expect, it } from 'vitest';
import { findConstraint } from '../../../src/guard/policy/named-constraint.ts';
import type { SkillGrant } from '../../../src/guard/policy/skill-grant.ts';
import { policy, ready } from '../rules/cases.ts';

const skill = (more: Partial<SkillGrant>): SkillGrant => ({
  name: 's',
  tools: [],
  guards: {},
  budgets: {},
  ...more,
});
const find = (name: string, evidence: Partial<typeof ready> = {}) =>
  findConstraint({ name }, { evidence: { ...ready, ...evidence }, policy });

describe('a constraint in force', () => {
  it.each([
    ['READ_LIMIT', 'READ_LIMIT', ['READ_LIMIT']],
    // two names of one constraint
    ['read_lines', 'READ_LIMIT', ['READ_LIMIT']],
    ['patch_files', 'PLAN_SCOPE', ['PLAN_SCOPE']],
    ['repairs', 'repairs', []],
    ['.github/**', 'PATH_PROTECTED', ['PATH_PROTECTED']],
  ])('%s is %s', (name, id, refusals) => {
    expect(find(name)).toEqual({ id, refusals });
  });

  it.each(['STALE_READ', 'PLAN_SCOPE', 'within', 'approved_plan', 's', 'toString', 'x/**'])(
    '%s is none',
    name => {
      expect(find(name)).toBeUndefined();
    },
  );

  it('is what the task, the plan or an active skill states', () => {
    expect(find('within', { within: ['src/**'] })).toMatchObject({ refusals: ['PLAN_SCOPE'] });
    const approved = { affectedFiles: ['a.js'], maxChangedLines: 1 };
    expect(find('approved_plan', { approved })).toMatchObject({ refusals: ['PLAN_SCOPE'] });
    expect(find('s', { activeSkills: [skill({})] })).toBeUndefined();
    expect(find('s', { activeSkills: [skill({ budgets: { calls: 1 } })] })).toEqual({
      id: 's',
      refusals: ['SKILL_GUARD s', 'SKILL_BUDGET s'],
    });
  });

  it('is a quote that its skill states, and no other', () => {
    const evidence = { ...ready, activeSkills: [skill({ constraints: ['digest'] })] };
    const quote = (text: string, of = 's') =>
      findConstraint({ skill: of, quote: text }, { evidence, policy });
    expect(quote('digest')).toEqual({ id: 's: digest', refusals: [] });
    expect(quote('other')).toBeUndefined();
    expect(quote('digest', 'other')).toBeUndefined();
  });
});
