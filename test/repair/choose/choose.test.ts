/** Survivors are ranked, by the names that they read, too. */
import { describe, expect, it } from 'vitest';
import type { Node } from 'web-tree-sitter';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import type { TextEdit } from '../../../src/repair/candidates/edit.ts';
import {
  type Choice,
  droppedName,
  rankSurvivors,
  undecided,
  unreadVariables,
} from '../../../src/repair/choose/choose.ts';
import { findLanguageAdapter } from '../../../src/repair/languages/index.ts';
import type { LanguageAdapter } from '../../../src/repair/languages/language.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../harness.ts';
import { differ, survivor, textOf, unread } from '../survivors.ts';

describe('the choice among survivors', () => {
  it('prefers one that reads a variable that nothing read to a smaller one', () => {
    const reads = survivor('one - moons', 1, unread('moons', ''));
    const ranked = rankSurvivors([survivor('two', 0, unread('', 'moons')), reads], textOf);
    expect(ranked.map(c => c.rank)).toEqual([1, 0]);
    expect(rankSurvivors([survivor('two'), survivor('one - moons', 1)], textOf)[0]?.rank).toBe(0);
  });

  it('is decided by such a variable', () => {
    const [other] = rankSurvivors([survivor('two', 1, { against: differ })], textOf);
    const best = (about: Partial<Choice>) =>
      rankSurvivors([survivor('moons', 0, about)], textOf)[0];
    const read = best(unread('moons', ''));
    const plain = best({});
    if (read === undefined || plain === undefined || other === undefined) throw new Error('none');
    expect(undecided(read, [other])).toEqual([]);
    expect(undecided(plain, [other])).toEqual([other]);
  });
});

const symbols = openSymbols(openShipped(root));

/** What `look` finds of an edit that replaces the first `from` of a text. */
async function found<T>(
  look: (tree: Node, edits: readonly TextEdit[], language: LanguageAdapter) => T,
  [path, text]: readonly [path: string, text: string],
  [from, to]: readonly [from: string, to: string],
): Promise<T | undefined> {
  const language = findLanguageAdapter(path);
  const start = text.indexOf(from);
  if (language === undefined || start < 0) throw new Error(`${path} does not hold ${from}`);
  const edits = [{ start, end: start + from.length, text: to }];
  return symbols.withTree(path, text, tree => look(tree, edits, language));
}

const python =
  'def f(n):\n    moons = n // 3\n    _, rest = divmod(n, 4)\n    _left = 1\n    return n + rest\n\n\nodd = 3\n';
const script =
  'export function f(n) {\n  const moons = n * 3;\n  const [one, rest] = [n, 1];\n  return [1].map(x => x + n);\n}\nconst odd = 3;\n';

it.each([
  ['reads it', 'a.py', python, 'n + rest', 'n + rest - moons', 'moons', ''],
  ['does not read it', 'a.py', python, 'n + rest', 'n - rest', '', 'moons'],
  ['has it as a part of a longer name', 'a.py', python, 'n + rest', 'n + moonstone', '', 'moons'],
  ['deletes it', 'a.py', python, 'moons = n // 3', 'pass', '', ''],
  ['is outside of functions', 'a.py', python, 'odd = 3', 'odd = 4', '', ''],
  ['reads it in an inner function', 'a.js', script, 'x + n', 'x + n + moons', 'moons', ''],
  ['is in an inner function', 'a.js', script, 'x + n', 'x - n', '', 'moons'],
] as const)(
  'a variable that nothing reads: an edit that %s, in %s',
  async (_, path, text, from, to, read, left) => {
    expect(await found(unreadVariables, [path, text], [from, to])).toEqual({ read, left });
  },
);

it.each([
  ['the only use of a member', 'a.py', 'n.body]', 'n.handlers]', 'body of the function'],
  [
    'the only one in a statement, for one that it has',
    'a.py',
    'n.body +',
    'n.end +',
    'body of the statement',
  ],
  ['the only one in a statement, for a new one', 'a.py', 'n.body +', 'n.rest +', ''],
  ['a member that is read elsewhere', 'a.py', 'n.rest]', 'n.body]', ''],
  ['a call, which another replaces', 'a.js', 'indexOf(x)', 'lastIndexOf(x)', ''],
  ['the name of a call alone', 'a.js', 'indexOf', 'lastIndexOf', ''],
  ['a word of the language', 'a.js', 'continue', 'break', ''],
  ['a text', 'a.js', "'rest'", "'body'", ''],
  ['what the function still declares', 'a.js', 'keep = only;', '', ''],
  ['outside of functions', 'a.js', 'before', 'behind', ''],
])('a name that is not read any more: %s', async (_, path, from, to, expected) => {
  const text = path.endsWith('py')
    ? 'def f(n):\n    return [n.body] + [n.handlers, n.rest], n.rest\n\ndef g(n):\n    first = n.body\n    return n.body + n.end\n'
    : "const before = 1;\nfunction f(list, only, keep) {\n  while (only) continue;\n  keep = only;\n  return list.indexOf(x) + 'rest' + only;\n}\n";
  const name = await found(droppedName, [path, text], [from, to]);
  expect(name === undefined ? '' : `${name.name} of the ${name.from}`).toBe(expected);
});
