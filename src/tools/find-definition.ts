/** find_definition: where a symbol is defined; by a language server when one answers, else by the index. */
import { askedOf, fromOf, lookupSchema, placesResult } from './lookup.ts';
import { defineTool } from './tool.ts';

export const findDefinition = defineTool({
  name: 'find_definition',
  description: 'Where a symbol is defined.',
  core: true,
  step: 'navigate',
  schema: lookupSchema,
  claims: args => [{ kind: 'navigate', path: fromOf(args) }],
  problems: async args => (/[\n\r\0]/.test(args.symbol) ? ['/symbol: must be one line'] : []),
  run: async (args, room) => {
    const answer = await room.navigator.definitions(askedOf(args));
    return placesResult(args, room, { answer, withText: false });
  },
});
