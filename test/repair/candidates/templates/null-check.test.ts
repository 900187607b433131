/** The repairs that the template `null-check` makes, in each language that it knows. */
import { nullCheck } from '../../../../src/repair/candidates/templates/null-check.ts';
import { playRepairs } from './repairs.ts';

playRepairs(nullCheck, [
  ['js', '  return n.name;', '  return n?.name;'],
  ['a.ts', 'const f = (n: N) => n.list[0];\n', 'const f = (n: N) => n.list?.[0];\n'],
  ['js', '  for (const x of n.all) f(x);', '  for (const x of (n.all ?? [])) f(x);'],
  ['js', '  return n.size + 1;', '  return (n.size ?? 0) + 1;'],
  ['py', '    return n[other]', '    return n.get(other, 0)'],
  ['py', '    for x in n:\n        f(x)', '    for x in (n or []):\n        f(x)'],
  ['js', '  return n == null;', '  return n === undefined;'],
  [
    'js',
    "  return n && typeof other.a === 'object';",
    "  return n && other.a != null && typeof other.a === 'object';",
  ],
]);
