/** state_delete: turns a named state off. A state of the engine is on again in the next phase. */
import * as z from 'zod';
import { statesText } from './state-add.ts';
import { defineTool } from './tool.ts';

export const stateDelete = defineTool({
  name: 'state_delete',
  description: 'Turn off a named state and its rules.',
  core: true,
  needs: 'states',
  step: undefined,
  schema: z.strictObject({
    state: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a-z, 0-9, _ (at most 40)'),
  }),
  claims: () => [],
  problems: async (args, context) =>
    [context.states.refusal(args.state, 'off')].filter(p => p !== undefined),
  run: async (args, context) => {
    context.states.delete(args.state);
    return {
      text: statesText(context),
      facts: { change: 'off', state: args.state },
    };
  },
});
