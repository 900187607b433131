/** The repairs that the template `negation` makes, in each language that it knows. */
import { negation } from '../../../../src/repair/candidates/templates/negation.ts';
import { playRepairs } from './repairs.ts';

playRepairs(negation, [
  ['js', '  if (list.has(n)) return 1;', '  if (!(list.has(n))) return 1;'],
  ['py', '    return not n', '    return n'],
  ['js', '  if (n && other) n();', '  if (n && !other) n();'],
]);
