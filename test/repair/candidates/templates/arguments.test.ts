/** The repairs that the template `arguments` makes, in each language that it knows. */
import { callArguments } from '../../../../src/repair/candidates/templates/arguments.ts';
import { go, js, playRepairs, py } from './repairs.ts';

playRepairs(callArguments, [
  ['a.js', js('  return f(n, list);'), js('  return f(list, n);')],
  ['a.js', js('  return list.sort();'), js('  return list.sort((a, b) => a - b);')],
  ['a.py', py('    return range(n)'), py('    return range(1, n)')],
  ['a.go', go('\treturn F(list, other, n)'), go('\treturn F(list, n, other)')],
  [
    'a.js',
    'const area = (width, height, depth) => 1;\nconst g = (depth, width, height) => area(depth, width, height);\n',
    'const area = (width, height, depth) => 1;\nconst g = (depth, width, height) => area(width, height, depth);\n',
  ],
  [
    'a.py',
    'def g(a, key=None):\n    return a\ndef f(n, key):\n    return g(n)\n',
    'def g(a, key=None):\n    return a\ndef f(n, key):\n    return g(n, key=key)\n',
  ],
  [
    'a.py',
    py('    return max(x for x in items)'),
    py('    return max((x for x in items), default=0)'),
  ],
]);
