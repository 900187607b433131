/** A name that a function does not read any more after an edit is found. */
import { expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { droppedName } from '../../../src/repair/choose/dropped-name.ts';
import { findLanguageAdapter } from '../../../src/repair/languages/index.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../harness.ts';

const symbols = openSymbols(openShipped(root));

async function dropped(path: string, text: string, [from, to]: readonly [string, string]) {
  const language = findLanguageAdapter(path);
  const start = text.indexOf(from);
  if (language === undefined || start < 0) throw new Error(`${path} does not hold ${from}`);
  const edits = [{ start, end: start + from.length, text: to }];
  return symbols.withTree(path, text, tree => {
    const found = droppedName(tree, edits, language);
    return found === undefined ? '' : `${found.name} of the ${found.from}`;
  });
}

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
])('%s', async (_, path, from, to, name) => {
  const text = path.endsWith('py')
    ? 'def f(n):\n    return [n.body] + [n.handlers, n.rest], n.rest\n\ndef g(n):\n    first = n.body\n    return n.body + n.end\n'
    : "const before = 1;\nfunction f(list, only, keep) {\n  while (only) continue;\n  keep = only;\n  return list.indexOf(x) + 'rest' + only;\n}\n";
  expect(await dropped(path, text, [from, to])).toBe(name);
});
