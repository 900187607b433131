/** find_definition: asks a language server, or the symbol index when no server answers. */
import { defineLookup } from './lookup.ts';

export const findDefinition = defineLookup({
  name: 'find_definition',
  description: 'Find where a symbol is defined.',
  find: (navigator, request) => navigator.definitions(request),
  withText: false,
  provesAbsence: true,
});
