/** The repairs that the template `arithmetic` makes, in each language that it knows. */
import { arithmetic } from '../../../../src/repair/candidates/templates/arithmetic.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(arithmetic, [
  ['a.js', js('  n += 1;'), js('  n -= 1;')],
  ['a.py', py('    return n / other'), py('    return n // other')],
  ['a.js', js('  return n - 7;'), js('  return n % 7;')],
  ['a.py', py('    return n % 7'), py('    return n // 7')],
]);
