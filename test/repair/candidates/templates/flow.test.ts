/** The repairs that the template `flow` makes, in each language that it knows. */
import { flow } from '../../../../src/repair/candidates/templates/flow.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(flow, [
  ['a.js', js('  for (const x in list) n(x);'), js('  for (const x of list) n(x);')],
  ['a.py', py('    if n:\n        n -= 1'), py('    while n:\n        n -= 1')],
  [
    'a.js',
    js('  if (n) list();\n  else if (other) list(other);'),
    js('  if (other) list(other);\n  else if (n) list();'),
  ],
  [
    'a.py',
    py('    if n:\n        items()\n    elif other:\n        items(other)'),
    py('    if other:\n        items(other)\n    elif n:\n        items()'),
  ],
]);
