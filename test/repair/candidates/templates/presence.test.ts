/** The template that exchanges a check for a true value and a check for one that is there. */
import { expect, it } from 'vitest';
import { presence } from '../../../../src/repair/candidates/templates/presence.ts';
import { js, playRepairs, py, textsOf } from './repairs.ts';

playRepairs(presence, [
  ['a.js', js('  list[n] = other;'), js("  if (n !== '__proto__') list[n] = other;")],
  ['a.js', js('  if (n) other();'), js('  if (n !== undefined) other();')],
  ['a.js', js('  if (!n) other();'), js('  if (n == null) other();')],
  ['a.js', js('  if (list[n]) other();'), js('  if (Object.hasOwn(list, n)) other();')],
  ['a.js', js('  if (list?.[n]) other();'), js('  if (Object.hasOwn(list, n)) other();')],
  ['a.js', js('  if (n in list) other();'), js('  if (Object.hasOwn(list, n)) other();')],
  ['a.js', js('  return !list[n] && other;'), js('  return !(n in list) && other;')],
  [
    'a.js',
    js("  return typeof n === 'object' && other;"),
    js("  return n !== null && typeof n === 'object' && other;"),
  ],
  [
    'a.js',
    js("  if (typeof n !== 'number') return null;"),
    js('  if (!Number.isFinite(n)) return null;'),
  ],
  ['a.js', js('  return list[n] || n;'), js('  return (Object.hasOwn(list, n) ? list[n] : n);')],
  ['a.js', "const map = { a: 'b' };\n", "const map = { __proto__: null, a: 'b' };\n"],
  ['a.js', js('  if (n !== null) other();'), js('  if (n) other();')],
  ['a.py', py('    if n:\n        other()'), py('    if n is not None:\n        other()')],
  ['a.py', py('    if not n:\n        other()'), py('    if n is None:\n        other()')],
  ['a.py', py('    if items.get(n):\n        other()'), py('    if n in items:\n        other()')],
  ['a.py', py('    return n or other'), py('    return n if n is not None else other')],
]);

it('puts no condition in front of an else that belongs to another one', async () => {
  const text = js('  if (n) list[n] = other;\n  else other(n);');
  const found = await textsOf('a.js', text, presence.id);
  expect(found.filter(made => made.includes("'__proto__'"))).toEqual([]);
});
