/** The repairs that the template `null-check` makes, in each language that it knows. */
import { nullCheck } from '../../../../src/repair/candidates/templates/null-check.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(nullCheck, [
  ['a.js', js('  return n.name;'), js('  return n?.name;')],
  ['a.ts', 'const f = (n: N) => n.list[0];\n', 'const f = (n: N) => n.list?.[0];\n'],
  ['a.js', js('  for (const x of n.all) f(x);'), js('  for (const x of (n.all ?? [])) f(x);')],
  ['a.js', js('  return n.size + 1;'), js('  return (n.size ?? 0) + 1;')],
  ['a.py', py('    return n[other]'), py('    return n.get(other, 0)')],
  ['a.py', py('    for x in n:\n        f(x)'), py('    for x in (n or []):\n        f(x)')],
  ['a.js', js('  return n == null;'), js('  return n === undefined;')],
  [
    'a.js',
    js("  return n && typeof other.a === 'object';"),
    js("  return n && other.a != null && typeof other.a === 'object';"),
  ],
]);
