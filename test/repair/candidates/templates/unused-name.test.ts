/** The repairs that the template `unused-name` makes, in each language that it knows. */
import { unusedName } from '../../../../src/repair/candidates/templates/unused-name.ts';
import { playRepairs } from './repairs.ts';

playRepairs(unusedName, [
  ['js', '  return list.map(k => n[other[list]]);', '  return list.map(k => n[k]);'],
  ['py', '    return items[0] + other', '    return n + other'],
]);
