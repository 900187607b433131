/** The repairs that the template `delete` makes, in each language that it knows. */
import { deleted } from '../../../../src/repair/candidates/templates/delete.ts';
import { playRepairs } from './repairs.ts';

playRepairs(deleted, [['js', '  n();\n  other();', '  n();']]);
