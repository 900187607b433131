/** skill_deactivate: deactivates a skill and withdraws its prompt and tools. */
import * as z from 'zod';
import { normaliseSkillName } from '../skills/skill.ts';
import { renderSkillError, renderSkillSuccess } from './skill-activate.ts';
import { aside, defineTool, makePermitted } from './tool.ts';

export const skillDeactivate = defineTool({
  name: 'skill_deactivate',
  description: 'Deactivate a skill, or all.',
  core: true,
  step: undefined,
  schema: z.strictObject({
    skill_name: z.string().min(1).max(200).optional().meta(aside('left out: every active skill')),
  }),
  claims: ({ skill_name: named }) =>
    named === undefined ? [] : [{ kind: 'skill', name: normaliseSkillName(named) }],
  run: async ({ skill_name: named }, context) => {
    if (named === undefined) {
      const gone = context.skills.getActiveSkills();
      context.skills.deactivateAll();
      return {
        text: renderSkillSuccess(`Skills deactivated: ${gone.join(', ') || 'none'}`, context),
        events: [makePermitted(context)],
      };
    }
    const name = context.skills.resolveName(normaliseSkillName(named));
    const { ok, reason } = context.skills.deactivate(name);
    return {
      text: ok
        ? renderSkillSuccess(
            `Skill deactivated: ${name}. To see the text of a skill that stays active, activate it again.`,
            context,
          )
        : renderSkillError(`${reason}.`),
      events: [makePermitted(context)],
    };
  },
});
