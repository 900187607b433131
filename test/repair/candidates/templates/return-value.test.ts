/** The repairs that the template `return-value` makes, in each language that it knows. */
import { returnValue } from '../../../../src/repair/candidates/templates/return-value.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(returnValue, [
  ['a.js', js('  return null;'), js('  return list;')],
  ['a.py', py('    n + 1'), py('    return n + 1')],
  [
    'a.js',
    js('  if (n) {\n    other(n);\n  }\n  return 0;'),
    js('  if (n) {\n    return other(n);\n  }\n  return 0;'),
  ],
  ['a.js', js('  return\n    n + 1;'), js('  return n + 1;')],
  [
    'a.py',
    py('    if n:\n        other(n)\n    return 0'),
    py('    if n:\n        return other(n)\n    return 0'),
  ],
  [
    'a.py',
    'def f(seen):\n    def g(n):\n        return n\n    return g\n',
    'def f(seen):\n    def g(n):\n        return seen\n    return g\n',
  ],
  ['a.py', py('    return items[n]'), py('    return (items[n],)')],
]);
