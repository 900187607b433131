/** The repairs that the template `update` makes, in each language that it knows. */
import { update } from '../../../../src/repair/candidates/templates/update.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(update, [
  [
    'a.py',
    py('    while n:\n        items.append(n)'),
    py('    while n:\n        items.append(n)\n        n -= 1'),
  ],
  [
    'a.py',
    py('    for n in items:\n        if n:\n            other()'),
    py('    for n in items:\n        if n:\n            other()\n            break'),
  ],
  [
    'a.js',
    js('  switch (n) {\n    case 1:\n      other = 2;\n    case 2:\n      other = 3;\n  }'),
    js(
      '  switch (n) {\n    case 1:\n      other = 2;\n      break;\n    case 2:\n      other = 3;\n  }',
    ),
  ],
]);
