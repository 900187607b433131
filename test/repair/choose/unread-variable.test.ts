/** A variable that a function assigns and never reads is found, and whether an edit reads it. */
import { expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { unreadVariables } from '../../../src/repair/choose/choose.ts';
import { findLanguageAdapter } from '../../../src/repair/languages/index.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../harness.ts';

const symbols = openSymbols(openShipped(root));
const python =
  'def f(n):\n    moons = n // 3\n    _, rest = divmod(n, 4)\n    _left = 1\n    return n + rest\n\n\nodd = 3\n';
const script =
  'export function f(n) {\n  const moons = n * 3;\n  const [one, rest] = [n, 1];\n  return [1].map(x => x + n);\n}\nconst odd = 3;\n';

async function unread(path: string, text: string, [from, to]: readonly [string, string]) {
  const language = findLanguageAdapter(path);
  const start = text.indexOf(from);
  if (language === undefined || start < 0) throw new Error(`${path} does not hold ${from}`);
  const edits = [{ start, end: start + from.length, text: to }];
  return symbols.withTree(path, text, tree => unreadVariables(tree, edits, language));
}

it.each([
  ['reads it', 'a.py', python, 'n + rest', 'n + rest - moons', 'moons', ''],
  ['does not read it', 'a.py', python, 'n + rest', 'n - rest', '', 'moons'],
  ['has it as a part of a longer name', 'a.py', python, 'n + rest', 'n + moonstone', '', 'moons'],
  ['deletes it', 'a.py', python, 'moons = n // 3', 'pass', '', ''],
  ['is outside of functions', 'a.py', python, 'odd = 3', 'odd = 4', '', ''],
  ['reads it in an inner function', 'a.js', script, 'x + n', 'x + n + moons', 'moons', ''],
  ['is in an inner function', 'a.js', script, 'x + n', 'x - n', '', 'moons'],
] as const)('an edit that %s, in %s', async (_, path, text, from, to, read, left) => {
  expect(await unread(path, text, [from, to])).toEqual({ read, left });
});
