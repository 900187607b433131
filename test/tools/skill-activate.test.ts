/** skill_activate grants the tools of a skill, and says why it does not. */
import { describe, expect, it } from 'vitest';
import type { SkillManager } from '../../src/skills/skill-manager.ts';
import { skillActivate } from '../../src/tools/skill-activate.ts';
import { callTool, playCalls } from './play.ts';

describe('skill_activate', () => {
  it('names what is active, and how to read more of it', async () => {
    const { texts, operations } = await playCalls({ files: { 'a.js': '\n' } }, [
      ['skill_activate', { skill_name: 'test-repair' }],
    ]);
    const [first = ''] = (texts[0] ?? '').split('\n\n');
    expect(JSON.parse(first)).toMatchObject({
      success: true,
      message: 'Skill activated: test-repair',
      active_skills: expect.arrayContaining([expect.stringContaining('test-repair')]),
    });
    expect(texts[0]).toContain('# Active skill: test-repair\nMake failing tests pass');
    expect(operations[0]).toMatchObject({ tool: 'skill_activate', decision: 'pass' });
  });

  it('fails with the reason of the skill manager', async () => {
    const skills = {
      resolveName: (name: string) => name,
      activate: async () => ({ ok: false, reason: 'its body is no text' }),
    } as unknown as SkillManager;
    expect(await callTool(skillActivate, { skill_name: 'x' }, { skills })).toEqual({
      claims: [{ kind: 'skill', name: 'x' }],
      text: '{"success":false,"error":"its body is no text"}',
      failed: 'its body is no text',
    });
  });
});
