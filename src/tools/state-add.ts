/** state_add: turns a named state on. The prompts of a state are sent while it is on. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const stateAdd = defineTool({
  name: 'state_add',
  description: 'Turn on one of your own states.',
  core: true,
  needs: 'states',
  step: null,
  schema: z.strictObject({
    state: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a-z, 0-9, _ (at most 40)'),
  }),
  claims: () => [],
  problems: async (args, context) =>
    [context.states.refusal(args.state, 'on')].filter(p => p !== null),
  run: async (args, context) => {
    context.states.add(args.state);
    return {
      text: `States: ${context.states.on().join(', ') || 'none'}.`,
      facts: { change: 'on', state: args.state },
    };
  },
});
