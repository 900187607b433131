/** state_add: turns a named state on. The prompts of a state are sent while it is on. */
import * as z from 'zod';
import { defineTool, type ToolContext } from './tool.ts';

export const stateAdd = defineTool({
  name: 'state_add',
  description: 'Turn on a named state and its rules.',
  core: true,
  needs: 'states',
  step: undefined,
  schema: z.strictObject({
    state: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a-z, 0-9, _ (at most 40)'),
  }),
  claims: () => [],
  problems: async (args, context) =>
    [context.states.refusal(args.state, 'on')].filter(p => p !== undefined),
  run: async (args, context) => {
    context.states.add(args.state);
    return {
      text: statesText(context),
      facts: { change: 'on', state: args.state },
    };
  },
});

/** The states that the agent changed. */
export function statesText({ states }: ToolContext): string {
  const off = states.deleted();
  const until = off.length === 0 ? '' : ` Off until the phase changes: ${off.join(', ')}.`;
  return `States that you turned on: ${states.added().join(', ') || 'none'}.${until}`;
}
