/** skill_deactivate: deactivates a skill and withdraws its prompt and tools. */
import * as z from 'zod';
import { defineTool, permitted } from './tool.ts';

export const skillDeactivate = defineTool({
  name: 'skill_deactivate',
  description: 'Deactivate a skill.',
  core: true,
  step: null,
  schema: z.strictObject({ skill_name: z.string().min(1).max(200) }),
  claims: args => [{ kind: 'skill', name: args.skill_name }],
  run: async (args, context) => {
    const { ok, reason } = context.skills.deactivate(args.skill_name);
    return {
      text: ok ? `Deactivated ${args.skill_name}.` : `${reason}.`,
      events: [permitted(context)],
    };
  },
});
