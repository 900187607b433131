/** The repairs that the template `condition` makes, in each language that it knows. */
import { condition } from '../../../../src/repair/candidates/templates/condition.ts';
import { playRepairs } from './repairs.ts';

playRepairs(condition, [
  ['js', '  if (n > 0 && other) return 1;', '  if (n > 0) return 1;'],
  [
    'py',
    '    if n:\n        return items[n]',
    '    if n and n < len(items):\n        return items[n]',
  ],
  [
    'js',
    '  return list.filter(x => { if (x) return 1; });',
    '  return list.filter(x => { if (x && other) return 1; });',
  ],
  [
    'js',
    '  const ok = n > 1 // more\n    && (other === 2);',
    '  const ok = n > 1 // more\n    && (other === 2 || n);',
  ],
]);
