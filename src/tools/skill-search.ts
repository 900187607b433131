/** skill_search: the skills that some words fit, where there are more than the first prompt names. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const skillSearch = defineTool({
  name: 'skill_search',
  description: 'Find skills by words.',
  core: true,
  step: null,
  offered: skills => skills.hasMore(),
  schema: z.strictObject({ query: z.string().min(1).max(500) }),
  claims: () => [],
  run: async (args, context) => {
    const found = context.skills.search(args.query);
    const none = `No skill fits these words; there are ${context.skills.names().length}.`;
    return { text: found.length === 0 ? none : found.join('\n') };
  },
});
