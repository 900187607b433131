/** find_references: asks a language server, or the symbol index when no server answers. */
import { defineLookup } from './lookup.ts';

export const findReferences = defineLookup({
  name: 'find_references',
  description: 'Find uses of a symbol.',
  find: (navigator, request) => navigator.references(request),
  withText: true,
  provesAbsence: false,
});
