/** The repairs that the template `negation` makes, in each language that it knows. */
import { negation } from '../../../../src/repair/candidates/templates/negation.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(negation, [
  ['a.js', js('  if (list.has(n)) return 1;'), js('  if (!(list.has(n))) return 1;')],
  ['a.py', py('    return not n'), py('    return n')],
  ['a.js', js('  if (n && other) n();'), js('  if (n && !other) n();')],
]);
