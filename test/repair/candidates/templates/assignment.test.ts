/** The repairs that the template `assignment` makes, in each language that it knows. */
import { assignment } from '../../../../src/repair/candidates/templates/assignment.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(assignment, [
  ['a.js', js('  n = other;'), js('  n += other;')],
  ['a.py', py('    n = other'), py('    n = max(n, other)')],
  ['a.js', js('  options = other;'), js('  let options = other;')],
]);
