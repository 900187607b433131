/** The repairs that the template `connective` makes, in each language that it knows. */
import { connective } from '../../../../src/repair/candidates/templates/connective.ts';
import { playRepairs } from './repairs.ts';

playRepairs(connective, [
  ['js', '  return n && other;', '  return n || other;'],
  ['py', '    return n and other', '    return n or other'],
]);
