/** The repairs that the template `constant` makes, in each language that it knows. */
import { constant } from '../../../../src/repair/candidates/templates/constant.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(constant, [
  ['a.js', js('  let best = 0;'), js('  let best = -Infinity;')],
  ['a.py', py('    return n * 10'), py('    return n * 100')],
  ['a.py', py('    return []'), py('    return [[]]')],
]);
