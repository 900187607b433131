/** What the budget of a skill permits of its commands. */
import { expect, it } from 'vitest';
import type { SkillGrant } from '../../../src/guard/policy/skill-grant.ts';
import { objection } from '../granted.ts';

it('a skill whose budget is used up permits no line, though another one still grants the tool', () => {
  const every: SkillGrant = { name: 'y', tools: ['run_command'], guards: {}, budgets: {} };
  expect(objection('rm x', every)).toBeUndefined();
  expect(objection('rm x', { ...every, budgets: { calls: 0 } })).toBe(
    'the active skills permit only these commands: git …',
  );
});
