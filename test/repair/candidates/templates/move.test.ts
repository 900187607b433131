/** The repairs that the template `move` makes, in each language that it knows. */
import { move } from '../../../../src/repair/candidates/templates/move.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(move, [
  ['a.js', js('  n();\n  other();'), js('  other();\n  n();')],
  [
    'a.py',
    py('    for n in items:\n        other = n\n        return other'),
    py('    for n in items:\n        other = n\n    return other'),
  ],
]);
