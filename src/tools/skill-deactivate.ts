/** skill_deactivate: deactivates a skill and withdraws its prompt and tools. */
import * as z from 'zod';
import { renderSkillError, renderSkillSuccess } from './skill-activate.ts';
import { defineTool, permitted } from './tool.ts';

export const skillDeactivate = defineTool({
  name: 'skill_deactivate',
  description: 'Deactivate a skill.',
  core: true,
  step: undefined,
  schema: z.strictObject({ skill_name: z.string().min(1).max(200) }),
  claims: args => [{ kind: 'skill', name: args.skill_name }],
  run: async ({ skill_name: name }, context) => {
    const { ok, reason } = context.skills.deactivate(name);
    return {
      text: ok
        ? renderSkillSuccess(
            `Skill deactivated: ${name}. To see the text of a skill that stays active, activate it again.`,
            context,
          )
        : renderSkillError(`${reason}.`),
      events: [permitted(context)],
    };
  },
});
