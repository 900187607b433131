/** The repairs that the template `call-name` makes, in each language that it knows. */
import { callName } from '../../../../src/repair/candidates/templates/call-name.ts';
import { playRepairs } from './repairs.ts';

playRepairs(callName, [
  ['js', '  return Math.min(n, other);', '  return Math.max(n, other);'],
  ['py', '    return items.pop()', '    return items.popleft()'],
]);
