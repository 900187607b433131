/** The repairs that the template `constant` makes, in each language that it knows. */
import { constant } from '../../../../src/repair/candidates/templates/constant.ts';
import { playRepairs } from './repairs.ts';

playRepairs(constant, [
  ['js', '  let best = 0;', '  let best = -Infinity;'],
  ['py', '    return n * 10', '    return n * 100'],
  ['py', '    return []', '    return [[]]'],
]);
