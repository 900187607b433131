/** The template that exchanges a check for a true value and a check for one that is there. */
import { expect, it } from 'vitest';
import { presence } from '../../../../src/repair/candidates/templates/presence.ts';
import { js, playRepairs, textsOf } from './repairs.ts';

playRepairs(presence, [
  ['js', '  list[n] = other;', "  if (n !== '__proto__') list[n] = other;"],
  ['js', '  if (n) other();', '  if (n !== undefined) other();'],
  ['js', '  if (!n) other();', '  if (n == null) other();'],
  ['js', '  if (list[n]) other();', '  if (Object.hasOwn(list, n)) other();'],
  ['js', '  if (list?.[n]) other();', '  if (Object.hasOwn(list, n)) other();'],
  ['js', '  if (n in list) other();', '  if (Object.hasOwn(list, n)) other();'],
  ['js', '  return !list[n] && other;', '  return !(n in list) && other;'],
  [
    'js',
    "  return typeof n === 'object' && other;",
    "  return n !== null && typeof n === 'object' && other;",
  ],
  ['js', "  if (typeof n !== 'number') return null;", '  if (!Number.isFinite(n)) return null;'],
  ['js', '  return list[n] || n;', '  return (Object.hasOwn(list, n) ? list[n] : n);'],
  ['a.js', "const map = { a: 'b' };\n", "const map = { __proto__: null, a: 'b' };\n"],
  ['js', '  if (n !== null) other();', '  if (n) other();'],
  ['py', '    if n:\n        other()', '    if n is not None:\n        other()'],
  ['py', '    if not n:\n        other()', '    if n is None:\n        other()'],
  ['py', '    if items.get(n):\n        other()', '    if n in items:\n        other()'],
  ['py', '    return n or other', '    return n if n is not None else other'],
]);

it('puts no condition in front of an else that belongs to another one', async () => {
  const text = js('  if (n) list[n] = other;\n  else other(n);');
  const found = await textsOf('a.js', text, presence.id);
  expect(found.filter(made => made.includes("'__proto__'"))).toEqual([]);
});
