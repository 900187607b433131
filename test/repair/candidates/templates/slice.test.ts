/** The repairs that the template `slice` makes, in each language that it knows. */
import { slice } from '../../../../src/repair/candidates/templates/slice.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(slice, [
  ['a.py', py('    return items[1:]'), py('    return items[:]')],
  ['a.js', js('  return list.slice(n);'), js('  return list.slice(0, n);')],
  [
    'a.py',
    py('    for one in items:\n        n(one)'),
    py('    for one in items[n:]:\n        n(one)'),
  ],
  [
    'a.js',
    js('  return list.length > 1 ? f(list) : n;'),
    js('  return list.length > 1 ? f(list.slice(1)) : n;'),
  ],
]);
