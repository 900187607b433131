/** The repairs that the template `element` makes, in each language that it knows. */
import { element } from '../../../../src/repair/candidates/templates/element.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(element, [
  ['a.py', py('    return [n]'), py('    return [n, other]')],
  ['a.py', py('    return items[n, other]'), py('    return items[other, n]')],
  ['a.py', py('    return n, other'), py('    return other, n')],
  ['a.js', js('  [n, other] = list;'), js('  [other, n] = list;')],
]);
