/** The repairs that the template `variable` makes, in each language that it knows. */
import { variable } from '../../../../src/repair/candidates/templates/variable.ts';
import { go, js, playRepairs, py } from './repairs.ts';

playRepairs(variable, [
  ['a.js', js('  return list[n];'), js('  return list[other];')],
  ['a.py', py('    return items[n]'), py('    return items[other]')],
  ['a.go', go('\tbest := list[n]\n\treturn n'), go('\tbest := list[n]\n\treturn best')],
  ['a.js', js('  return list.filter(x => x > other);'), js('  return list.filter(x => x > n);')],
]);
