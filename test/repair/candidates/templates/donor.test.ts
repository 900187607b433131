/** The repairs that the template `donor` makes, in each language that it knows. */
import { donor } from '../../../../src/repair/candidates/templates/donor.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(donor, [
  [
    'a.js',
    js('  n = Math.max(list[0], 0, other);\n  return Math.min(list[0], 1, other);'),
    js('  n = Math.max(list[0], 0, other);\n  return Math.max(list[0], 0, other);'),
  ],
  [
    'a.py',
    py('    n = other.strip().lower()\n    return items.strip()'),
    py('    n = other.strip().lower()\n    return items.strip().lower()'),
  ],
]);
