/** The repairs that the template `slice` makes, in each language that it knows. */
import { slice } from '../../../../src/repair/candidates/templates/slice.ts';
import { playRepairs } from './repairs.ts';

playRepairs(slice, [
  ['py', '    return items[1:]', '    return items[:]'],
  ['js', '  return list.slice(n);', '  return list.slice(0, n);'],
  ['py', '    for one in items:\n        n(one)', '    for one in items[n:]:\n        n(one)'],
  [
    'js',
    '  return list.length > 1 ? f(list) : n;',
    '  return list.length > 1 ? f(list.slice(1)) : n;',
  ],
]);
