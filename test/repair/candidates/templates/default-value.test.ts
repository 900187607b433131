/** The repairs that the template `default-value` makes, in each language that it knows. */
import { defaultValue } from '../../../../src/repair/candidates/templates/default-value.ts';
import { playRepairs } from './repairs.ts';

playRepairs(defaultValue, [
  [
    'a.py',
    'def f(seen=[]):\n    return seen\n',
    'def f(seen=None):\n    if seen is None:\n        seen = []\n    return seen\n',
  ],
  [
    'a.js',
    'function f(a, b) {\n  return a + b;\n}\n',
    'function f(a, b = 0) {\n  return a + b;\n}\n',
  ],
  ['a.py', 'def f(a, b):\n    return b\n', 'def f(a, b=None):\n    return b\n'],
  ['a.py', 'def f(a, b, c):\n    return b\n', 'def f(a, b=None, c=None):\n    return b\n'],
]);
