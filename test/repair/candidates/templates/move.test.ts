/** The repairs that the template `move` makes, in each language that it knows. */
import { move } from '../../../../src/repair/candidates/templates/move.ts';
import { playRepairs } from './repairs.ts';

playRepairs(move, [
  ['js', '  n();\n  other();', '  other();\n  n();'],
  [
    'py',
    '    for n in items:\n        other = n\n        return other',
    '    for n in items:\n        other = n\n    return other',
  ],
]);
