/** The repairs that the template `update` makes, in each language that it knows. */
import { update } from '../../../../src/repair/candidates/templates/update.ts';
import { playRepairs } from './repairs.ts';

playRepairs(update, [
  [
    'py',
    '    while n:\n        items.append(n)',
    '    while n:\n        items.append(n)\n        n -= 1',
  ],
  [
    'py',
    '    for n in items:\n        if n:\n            other()',
    '    for n in items:\n        if n:\n            other()\n            break',
  ],
  [
    'js',
    '  switch (n) {\n    case 1:\n      other = 2;\n    case 2:\n      other = 3;\n  }',
    '  switch (n) {\n    case 1:\n      other = 2;\n      break;\n    case 2:\n      other = 3;\n  }',
  ],
]);
