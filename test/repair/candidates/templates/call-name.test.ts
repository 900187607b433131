/** The repairs that the template `call-name` makes, in each language that it knows. */
import { callName } from '../../../../src/repair/candidates/templates/call-name.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(callName, [
  ['a.js', js('  return Math.min(n, other);'), js('  return Math.max(n, other);')],
  ['a.py', py('    return items.pop()'), py('    return items.popleft()')],
  [
    'a.js',
    js('  list.entries();\n  return n.entires();'),
    js('  list.entries();\n  return n.entries();'),
  ],
  [
    'a.py',
    py('    items.merge()\n    return n.mrege()'),
    py('    items.merge()\n    return n.merge()'),
  ],
]);
