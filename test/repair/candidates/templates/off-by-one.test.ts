/** The repairs that the template `off-by-one` makes, in each language that it knows. */
import { offByOne } from '../../../../src/repair/candidates/templates/off-by-one.ts';
import { go, js, playRepairs, py } from './repairs.ts';

playRepairs(offByOne, [
  ['a.js', js('  return list[n];'), js('  return list[n - 1];')],
  ['a.py', py('    return range(n)'), py('    return range(n + 1)')],
  ['a.py', py('    return items[n - 1]'), py('    return items[n]')],
  ['a.go', go('\treturn list[n]'), go('\treturn list[n - 1]')],
  ['a.js', js('  return (n + other) / 2;'), js('  return (n + other + 1) / 2;')],
  ['a.py', py('    return (n + other) // 2'), py('    return (n + other - 1) // 2')],
  ['a.js', js('  return n ? other : 0;'), js('  return n ? other + 1 : 0;')],
]);
