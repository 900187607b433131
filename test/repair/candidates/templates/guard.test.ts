/** The repairs that the template `guard` makes, in each language that it knows. */
import { guard } from '../../../../src/repair/candidates/templates/guard.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(guard, [
  [
    'a.js',
    js('  return list[0].name;'),
    js('  if (list.length === 0) return null;\n  return list[0].name;'),
  ],
  ['a.js', js('  list[n] = other;'), js("  if (n !== '__proto__') list[n] = other;")],
  [
    'a.py',
    py('    return items[0]'),
    py('    if not items:\n        return None\n    return items[0]'),
  ],
]);
