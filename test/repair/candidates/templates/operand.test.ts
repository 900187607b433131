/** The repairs that the template `operand` makes, in each language that it knows. */
import { operand } from '../../../../src/repair/candidates/templates/operand.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(operand, [
  ['a.js', js('  return n - other;'), js('  return other - n;')],
  ['a.py', py('    return n + other / 2'), py('    return (n + other) / 2')],
  ['a.py', py('    return items[n]'), py('    return items[n % len(items)]')],
  ['a.js', js('  return f(list[0], n);'), js('  return f(list[0], n - other);')],
  ['a.js', js('  return n || other && list;'), js('  return (n || other) && list;')],
  ['a.js', js('  return n & 1 == 0;'), js('  return (n & 1) == 0;')],
  ['a.js', js('  return !n in list;'), js('  return !(n in list);')],
  ['a.py', py('    return not n and other'), py('    return not (n and other)')],
  ['a.js', js("  return 'a' + n ? 'b' : other;"), js("  return 'a' + (n ? 'b' : other);")],
  ['a.py', py("    return 'a' + n if other else ''"), py("    return 'a' + (n if other else '')")],
  ['a.py', py('    return n * 2'), py('    return n * 2 % other')],
  ['a.py', py('    return [n.body], n.orelse'), py('    return [n.body + n.orelse], n.orelse')],
]);
