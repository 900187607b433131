/** The repairs that the template `unwrap-call` makes, in each language that it knows. */
import { unwrapCall } from '../../../../src/repair/candidates/templates/unwrap-call.ts';
import { playRepairs, py } from './repairs.ts';

playRepairs(unwrapCall, [
  ['a.py', py('    return int(n)'), py('    return n')],
  ['a.py', py('    return list(x for x in items)'), py('    return (x for x in items)')],
]);
