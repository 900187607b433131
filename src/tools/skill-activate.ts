/** skill_activate: makes an allowed skill active; its tools are then granted (constitution §5.3). */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const skillActivate = defineTool({
  name: 'skill_activate',
  description: 'Activate a skill; it grants its tools.',
  core: true,
  step: null,
  schema: z.strictObject({ skill_name: z.string().min(1).max(200) }),
  claims: args => [{ kind: 'skill', name: args.skill_name }],
  run: async (args, room) => {
    const answer = room.skills.activate(args.skill_name);
    if (!answer.ok) return { text: answer.reason, failed: answer.reason };
    return {
      text: `Active: ${room.skills.active().join(', ')}.`,
      events: [{ kind: 'permitted', tools: [...room.coreTools, ...room.skills.grantedTools()] }],
    };
  },
});
