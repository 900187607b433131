/** The repairs that the template `flow` makes, in each language that it knows. */
import { flow } from '../../../../src/repair/candidates/templates/flow.ts';
import { playRepairs } from './repairs.ts';

playRepairs(flow, [
  ['js', '  for (const x in list) n(x);', '  for (const x of list) n(x);'],
  ['py', '    if n:\n        n -= 1', '    while n:\n        n -= 1'],
  [
    'js',
    '  if (n) list();\n  else if (other) list(other);',
    '  if (other) list(other);\n  else if (n) list();',
  ],
  [
    'py',
    '    if n:\n        items()\n    elif other:\n        items(other)',
    '    if other:\n        items(other)\n    elif n:\n        items()',
  ],
]);
