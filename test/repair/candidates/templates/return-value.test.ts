/** The repairs that the template `return-value` makes, in each language that it knows. */
import { returnValue } from '../../../../src/repair/candidates/templates/return-value.ts';
import { playRepairs } from './repairs.ts';

playRepairs(returnValue, [
  ['js', '  return null;', '  return list;'],
  ['py', '    n + 1', '    return n + 1'],
  [
    'js',
    '  if (n) {\n    other(n);\n  }\n  return 0;',
    '  if (n) {\n    return other(n);\n  }\n  return 0;',
  ],
  ['js', '  return\n    n + 1;', '  return n + 1;'],
  [
    'py',
    '    if n:\n        other(n)\n    return 0',
    '    if n:\n        return other(n)\n    return 0',
  ],
  [
    'a.py',
    'def f(seen):\n    def g(n):\n        return n\n    return g\n',
    'def f(seen):\n    def g(n):\n        return seen\n    return g\n',
  ],
  ['py', '    return items[n]', '    return (items[n],)'],
]);
