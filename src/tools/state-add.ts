/** state_add: turns a named state on. The prompts of a state are sent while it is on. */
import * as z from 'zod';
import { defineTool, type Tool, type ToolContext } from './tool.ts';

export const stateAdd = defineStateTool('on', {
  name: 'state_add',
  description: 'Turn on a named state and its rules.',
});

/** Makes the tool that turns a named state on or off. */
export function defineStateTool(
  change: 'on' | 'off',
  facts: { readonly name: string; readonly description: string },
): Tool {
  return defineTool({
    ...facts,
    core: true,
    needs: 'states',
    step: undefined,
    schema: z.strictObject({
      state: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'a-z, 0-9, _ (at most 40)'),
    }),
    claims: () => [],
    problems: async ({ state }, { states }) =>
      [states.refusal(state, change)].filter(p => p !== undefined),
    run: async ({ state }, context) => {
      if (change === 'on') context.states.add(state);
      else context.states.delete(state);
      return { text: statesText(context), facts: { change, state } };
    },
  });
}

/** The states that the agent changed. */
function statesText({ states }: ToolContext): string {
  const off = states.deleted();
  const until = off.length === 0 ? '' : ` Off until the phase changes: ${off.join(', ')}.`;
  return `States that you turned on: ${states.added().join(', ') || 'none'}.${until}`;
}
