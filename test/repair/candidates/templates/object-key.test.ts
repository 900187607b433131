/** The repairs that the template `object-key` makes, in each language that it knows. */
import { objectKey } from '../../../../src/repair/candidates/templates/object-key.ts';
import { js, playRepairs } from './repairs.ts';

playRepairs(objectKey, [
  ['a.js', js('  return { ...n, ...other };'), js('  return { ...other, ...n };')],
  ['a.js', js('  return { low: n, high: other };'), js('  return { low: other, high: n };')],
  [
    'a.js',
    js('  n.size();\n  return { length: other };'),
    js('  n.size();\n  return { size: other };'),
  ],
  ['a.js', js('  return { n };'), js('  return { n, other };')],
  [
    'a.py',
    'def g(a, size=1):\n    return a\ndef f(n):\n    return g(n, a=2)\n',
    'def g(a, size=1):\n    return a\ndef f(n):\n    return g(n, size=2)\n',
  ],
]);
