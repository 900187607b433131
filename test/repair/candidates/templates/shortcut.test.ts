/** The repairs that the template `shortcut` makes, in each language that it knows. */
import { shortcut } from '../../../../src/repair/candidates/templates/shortcut.ts';
import { js, playRepairs } from './repairs.ts';

playRepairs(shortcut, [
  ['a.js', js('  n += 1;\n  return list[n];'), js('  n += 1;\n  return list[++n];')],
  ['a.js', js('  return list[n++];'), js('  return list[++n];')],
]);
