/** The repairs that the template `arithmetic` makes, in each language that it knows. */
import { arithmetic } from '../../../../src/repair/candidates/templates/arithmetic.ts';
import { playRepairs } from './repairs.ts';

playRepairs(arithmetic, [
  ['js', '  n += 1;', '  n -= 1;'],
  ['py', '    return n / other', '    return n // other'],
  ['js', '  return n - 7;', '  return n % 7;'],
  ['py', '    return n % 7', '    return n // 7'],
]);
