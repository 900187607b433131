/** The repairs that the template `variable` makes, in each language that it knows. */
import { variable } from '../../../../src/repair/candidates/templates/variable.ts';
import { playRepairs } from './repairs.ts';

playRepairs(variable, [
  ['js', '  return list[n];', '  return list[other];'],
  ['py', '    return items[n]', '    return items[other]'],
  ['js', '  return list.filter(x => x > other);', '  return list.filter(x => x > n);'],
]);
