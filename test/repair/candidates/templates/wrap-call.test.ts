/** The repairs that the template `wrap-call` makes, in each language that it knows. */
import { wrapCall } from '../../../../src/repair/candidates/templates/wrap-call.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(wrapCall, [
  ['a.js', js('  return n / 2;'), js('  return Math.floor(n / 2);')],
  ['a.py', py('    return items'), py('    return sorted(items)')],
  ['a.py', py('    n = n - other'), py('    n = max(0, n - other)')],
  ['a.js', js('  n = n - other;'), js('  n = Math.min(1, n - other);')],
  ['a.py', py('    return int(x for x in items)'), py('    return sum(int(x for x in items))')],
  ['a.js', js('  return (n / other) * 2;'), js('  return (Math.floor(n / other)) * 2;')],
]);
