/** The repairs that the template `assignment` makes, in each language that it knows. */
import { assignment } from '../../../../src/repair/candidates/templates/assignment.ts';
import { playRepairs } from './repairs.ts';

playRepairs(assignment, [
  ['js', '  n = other;', '  n += other;'],
  ['py', '    n = other', '    n = max(n, other)'],
  ['js', '  options = other;', '  let options = other;'],
]);
