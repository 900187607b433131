/** The repairs that the template `paired-call` makes, in each language that it knows. */
import { pairedCall } from '../../../../src/repair/candidates/templates/paired-call.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(pairedCall, [
  ['a.js', js('  list.push(n);\n  other();'), js('  list.push(n);\n  other();\n  list.pop();')],
  [
    'a.py',
    py('    items.add(n)\n    r = other(items)\n    return r'),
    py('    items.add(n)\n    r = other(items)\n    items.discard(n)\n    return r'),
  ],
]);
