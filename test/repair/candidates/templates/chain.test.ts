/** The repairs that the template `chain` makes, in each language that it knows. */
import { chain } from '../../../../src/repair/candidates/templates/chain.ts';
import { js, playRepairs } from './repairs.ts';

playRepairs(chain, [
  ['a.js', js('  return n.trim().slice(1);'), js('  return n.slice(1).trim();')],
]);
