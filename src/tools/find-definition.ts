/** find_definition: by a language server when one answers, else by the index (SPEC §4). */
import { defineLookup } from './lookup.ts';

export const findDefinition = defineLookup({
  name: 'find_definition',
  description: 'Where a symbol is defined.',
  ask: (navigator, asked) => navigator.definitions(asked),
  withText: false,
});
