/** The repairs that the template `delete` makes, in each language that it knows. */
import { deleted } from '../../../../src/repair/candidates/templates/delete.ts';
import { js, playRepairs } from './repairs.ts';

playRepairs(deleted, [['a.js', js('  n();\n  other();'), js('  n();')]]);
