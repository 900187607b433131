/** find_references: asks a language server, or the symbol index when no server answers. */
import { defineLookup } from './lookup.ts';

export const findReferences = defineLookup({
  name: 'find_references',
  description:
    'Find uses of a symbol, each with line and enclosing symbol. Arguments: see find_definition.',
  find: (navigator, request) => navigator.references(request),
  isExplained: false,
  withText: true,
  provesAbsence: false,
});
