/** The repairs that the template `element` makes, in each language that it knows. */
import { element } from '../../../../src/repair/candidates/templates/element.ts';
import { playRepairs } from './repairs.ts';

playRepairs(element, [
  ['py', '    return [n]', '    return [n, other]'],
  ['py', '    return items[n, other]', '    return items[other, n]'],
  ['py', '    return n, other', '    return other, n'],
  ['js', '  [n, other] = list;', '  [other, n] = list;'],
]);
