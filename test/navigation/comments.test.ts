import { expect, it } from 'vitest';
import { changesCommentsOnly } from '../../src/navigation/comments.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../root.ts';

const symbols = openSymbols(openShipped(root));

it.each([
  ['a.js', '// one\nf(1);', '/* two */\nf(1);', true],
  ['a.js', 'f(1);', 'f( 1 ); // why', true],
  ['a.js', '// f(1);', 'f(1);', false],
  ['a.js', "f('a b');", "f('a  b');", false],
  ['a.js', "f('// a');", "f('// b');", false],
  ['a.py', 'def f():\n  """One."""\n  return 1', 'def f():\n  """Two."""\n  return 1', true],
  ['a.py', 'x = "one"', 'x = "two"', false],
  ['a.py', 'if a:\n  b()\nc()', 'if a:\n  b()\n  c()', false],
  ['a.py', 'x = f() # type: int', 'x = f() # type: str', false],
  ['a.rs', '/// One.\nfn f() {}', '/// Two.\nfn f() {}', true],
  ['a.go', '//go:build linux\npackage a', '//go:build darwin\npackage a', false],
  ['a.unknown', '# one', '# two', false],
])('%s: %j to %j', async (path, before, after, only) => {
  expect(await changesCommentsOnly(symbols, path, [before, after])).toBe(only);
});
