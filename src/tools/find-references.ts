/** find_references: by a language server when one answers, else by the index (SPEC §4). */
import { defineLookup } from './lookup.ts';

export const findReferences = defineLookup({
  name: 'find_references',
  description: 'Where a symbol is used, each with its line and the symbol around it.',
  ask: (navigator, asked) => navigator.references(asked),
  withText: true,
});
