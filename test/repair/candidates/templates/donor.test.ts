/** The repairs that the template `donor` makes, in each language that it knows. */
import { donor } from '../../../../src/repair/candidates/templates/donor.ts';
import { playRepairs } from './repairs.ts';

playRepairs(donor, [
  [
    'js',
    '  n = Math.max(list[0], 0, other);\n  return Math.min(list[0], 1, other);',
    '  n = Math.max(list[0], 0, other);\n  return Math.max(list[0], 0, other);',
  ],
  [
    'py',
    '    n = other.strip().lower()\n    return items.strip()',
    '    n = other.strip().lower()\n    return items.strip().lower()',
  ],
]);
