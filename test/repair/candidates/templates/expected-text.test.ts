/** The repairs that the template `expected-text` makes, in each language that it knows. */
import { expectedText } from '../../../../src/repair/candidates/templates/expected-text.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(expectedText, [
  ['a.js', js("  return n ? ':' : other;"), js("  return n ? ': ' : other;")],
  ['a.py', py("    return '0' + n"), py("    return '-0' + n")],
  ['a.js', js("  return n === '_proto_';"), js("  return n === '__proto__';")],
  ['a.py', py("    return f':{n}'"), py("    return f': {n}'")],
]);
