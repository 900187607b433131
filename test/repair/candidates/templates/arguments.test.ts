/** The repairs that the template `arguments` makes, in each language that it knows. */
import { callArguments } from '../../../../src/repair/candidates/templates/arguments.ts';
import { playRepairs } from './repairs.ts';

playRepairs(callArguments, [
  ['js', '  return f(n, list);', '  return f(list, n);'],
  ['js', '  return list.sort();', '  return list.sort((a, b) => a - b);'],
  ['py', '    return range(n)', '    return range(1, n)'],
  ['go', '\treturn F(list, other, n)', '\treturn F(list, n, other)'],
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
  ['py', '    return max(x for x in items)', '    return max((x for x in items), default=0)'],
]);
