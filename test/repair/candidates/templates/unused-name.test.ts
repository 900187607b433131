/** The repairs that the template `unused-name` makes, in each language that it knows. */
import { unusedName } from '../../../../src/repair/candidates/templates/unused-name.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(unusedName, [
  ['a.js', js('  return list.map(k => n[other[list]]);'), js('  return list.map(k => n[k]);')],
  ['a.py', py('    return items[0] + other'), py('    return n + other')],
]);
