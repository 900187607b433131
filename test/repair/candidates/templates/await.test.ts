/** The repairs that the template `await` makes, in each language that it knows. */
import { awaited } from '../../../../src/repair/candidates/templates/await.ts';
import { playRepairs } from './repairs.ts';

playRepairs(awaited, [
  [
    'a.js',
    'async function f(g) {\n  return g();\n}\n',
    'async function f(g) {\n  return await g();\n}\n',
  ],
  [
    'a.js',
    'async function f(g) {\n  for (const x of g()) h(x);\n}\n',
    'async function f(g) {\n  for await (const x of g()) h(x);\n}\n',
  ],
  [
    'a.js',
    'function f(g) {\n  return g() + 1;\n}\n',
    'async function f(g) {\n  return await g() + 1;\n}\n',
  ],
  ['a.py', 'async def f(g):\n    return g()\n', 'async def f(g):\n    return await g()\n'],
]);
