/** The repairs that the template `connective` makes, in each language that it knows. */
import { connective } from '../../../../src/repair/candidates/templates/connective.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(connective, [
  ['a.js', js('  return n && other;'), js('  return n || other;')],
  ['a.py', py('    return n and other'), py('    return n or other')],
]);
