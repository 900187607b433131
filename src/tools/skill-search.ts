/** skill_search: finds skills by keywords; offered when the first prompt cannot list all skills. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const skillSearch = defineTool({
  name: 'skill_search',
  description: 'Find skills by keywords.',
  core: true,
  step: undefined,
  offered: skills => skills.hasMore(),
  schema: z.strictObject({ query: z.string().min(1).max(500) }),
  claims: () => [],
  run: async (args, context) => {
    const found = context.skills.search(args.query);
    const none = `No skill matches; ${context.skills.names().length} are available.`;
    return { text: found.length === 0 ? none : found.join('\n') };
  },
});
