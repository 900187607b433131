/** The repairs that the template `operand` makes, in each language that it knows. */
import { operand } from '../../../../src/repair/candidates/templates/operand.ts';
import { playRepairs } from './repairs.ts';

playRepairs(operand, [
  ['js', '  return n - other;', '  return other - n;'],
  ['py', '    return n + other / 2', '    return (n + other) / 2'],
  ['py', '    return items[n]', '    return items[n % len(items)]'],
  ['js', '  return f(list[0], n);', '  return f(list[0], n - other);'],
  ['js', '  return n || other && list;', '  return (n || other) && list;'],
  ['js', '  return n & 1 == 0;', '  return (n & 1) == 0;'],
  ['js', '  return !n in list;', '  return !(n in list);'],
  ['py', '    return not n and other', '    return not (n and other)'],
  ['js', "  return 'a' + n ? 'b' : other;", "  return 'a' + (n ? 'b' : other);"],
  ['py', "    return 'a' + n if other else ''", "    return 'a' + (n if other else '')"],
  ['py', '    return n * 2', '    return n * 2 % other'],
  ['py', '    return [n.body], n.orelse', '    return [n.body + n.orelse], n.orelse'],
]);
