/** The repairs that the template `arguments` makes, in each language that it knows. */
import { swapArguments } from '../../../../src/repair/candidates/templates/arguments.ts';
import { playRepairs } from './repairs.ts';

playRepairs(swapArguments, [
  ['js', '  return f(n, list);', '  return f(list, n);'],
  ['py', '    return f(n, other, items)', '    return f(items, other, n)'],
]);
