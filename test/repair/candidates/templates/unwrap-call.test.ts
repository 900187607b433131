/** The repairs that the template `unwrap-call` makes, in each language that it knows. */
import { unwrapCall } from '../../../../src/repair/candidates/templates/unwrap-call.ts';
import { playRepairs } from './repairs.ts';

playRepairs(unwrapCall, [
  ['py', '    return int(n)', '    return n'],
  ['py', '    return list(x for x in items)', '    return (x for x in items)'],
]);
