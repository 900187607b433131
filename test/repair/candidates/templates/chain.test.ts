/** The repairs that the template `chain` makes, in each language that it knows. */
import { chain } from '../../../../src/repair/candidates/templates/chain.ts';
import { playRepairs } from './repairs.ts';

playRepairs(chain, [['js', '  return n.trim().slice(1);', '  return n.slice(1).trim();']]);
