/** find_references: where a symbol is used, each with its line and the symbol around it; by a language server when one answers, else by the index. */
import { askedOf, fromOf, lookupSchema, placesResult } from './lookup.ts';
import { defineTool } from './tool.ts';

export const findReferencesTool = defineTool({
  name: 'find_references',
  description: 'Where a symbol is used, each with its line and the symbol around it.',
  core: true,
  step: 'navigate',
  schema: lookupSchema,
  claims: args => [{ kind: 'navigate', path: fromOf(args) }],
  problems: async args => (/[\n\r\0]/.test(args.symbol) ? ['/symbol: must be one line'] : []),
  run: async (args, room) => {
    const answer = await room.navigator.references(askedOf(args));
    return placesResult(args, room, { answer, withText: true });
  },
});
