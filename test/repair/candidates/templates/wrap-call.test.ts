/** The repairs that the template `wrap-call` makes, in each language that it knows. */
import { wrapCall } from '../../../../src/repair/candidates/templates/wrap-call.ts';
import { playRepairs } from './repairs.ts';

playRepairs(wrapCall, [
  ['js', '  return n / 2;', '  return Math.floor(n / 2);'],
  ['py', '    return items', '    return sorted(items)'],
  ['py', '    n = n - other', '    n = max(0, n - other)'],
  ['js', '  n = n - other;', '  n = Math.min(1, n - other);'],
  ['py', '    return int(x for x in items)', '    return sum(int(x for x in items))'],
  ['js', '  return (n / other) * 2;', '  return (Math.floor(n / other)) * 2;'],
]);
