/** The repairs that the template `expected-text` makes, in each language that it knows. */
import { expectedText } from '../../../../src/repair/candidates/templates/expected-text.ts';
import { playRepairs } from './repairs.ts';

playRepairs(expectedText, [
  ['js', "  return n ? ':' : other;", "  return n ? ': ' : other;"],
  ['py', "    return '0' + n", "    return '-0' + n"],
  ['js', "  return n === '_proto_';", "  return n === '__proto__';"],
  ['py', "    return f':{n}'", "    return f': {n}'"],
]);
