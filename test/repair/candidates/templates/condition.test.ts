/** The repairs that the template `condition` makes, in each language that it knows. */
import { condition } from '../../../../src/repair/candidates/templates/condition.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(condition, [
  ['a.js', js('  if (n > 0 && other) return 1;'), js('  if (n > 0) return 1;')],
  [
    'a.py',
    py('    if n:\n        return items[n]'),
    py('    if n and n < len(items):\n        return items[n]'),
  ],
  [
    'a.js',
    js('  return list.filter(x => { if (x) return 1; });'),
    js('  return list.filter(x => { if (x && other) return 1; });'),
  ],
  [
    'a.js',
    js('  const ok = n > 1 // more\n    && (other === 2);'),
    js('  const ok = n > 1 // more\n    && (other === 2 || n);'),
  ],
]);
