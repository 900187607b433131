/** abstain ends the run with its reason, and names the skills when none was used. */
import { describe, expect, it } from 'vitest';
import type { SkillManager } from '../../src/skills/skill-manager.ts';
import { abstain, availableSkills } from '../../src/tools/abstain.ts';
import { callTool, usual } from './play.ts';

const skills = { names: () => ['one', 'two'] } as unknown as SkillManager;

describe('abstain', () => {
  it('names the skills that no call used, and holds no secret', async () => {
    expect(await callTool(abstain, { reason: 'No way past s3cret.' }, { skills })).toMatchObject({
      claims: [],
      end: {
        status: 'abstained',
        code: 'ABSTAINED',
        statement: 'No way past ***.\nNo skill was used. Available: one, two.',
      },
    });
  });

  it('gives the reason alone when a skill was used', async () => {
    const skillUse = new Map([['one', { activations: 1, rounds: 0, calls: 0 }]]);
    const given = { skills, evidence: { ...usual.evidence, skillUse } };
    const { end } = await callTool(abstain, { reason: 'No evidence.' }, given);
    expect(end?.statement).toBe('No evidence.');
  });

  it('wants a reason', async () => {
    expect((await callTool(abstain, { reason: '' }, { skills })).problems).toHaveLength(1);
  });
});

it('at most twenty of many skills are named', () => {
  const names = Array.from({ length: 23 }, (_, i) => `s${i}`);
  expect(availableSkills(names)).toMatch(/s18, s19 and 3 more\.$/);
  expect(availableSkills([])).toBe('No skill is on the allowlist.');
});
