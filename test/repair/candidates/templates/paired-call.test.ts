/** The repairs that the template `paired-call` makes, in each language that it knows. */
import { pairedCall } from '../../../../src/repair/candidates/templates/paired-call.ts';
import { playRepairs } from './repairs.ts';

playRepairs(pairedCall, [
  ['js', '  list.push(n);\n  other();', '  list.push(n);\n  other();\n  list.pop();'],
  [
    'py',
    '    items.add(n)\n    r = other(items)\n    return r',
    '    items.add(n)\n    r = other(items)\n    items.discard(n)\n    return r',
  ],
]);
