import { expect, it } from 'vitest';
import { simpleCommands } from '../../src/tools/shell-line.ts';

it.each<[string, readonly (readonly string[])[] | null]>([
  ['git log --oneline', [['git', 'log', '--oneline']]],
  [
    'git status && npm test | tee "a b.log"; (cd x)',
    [
      ['git', 'status'],
      ['npm', 'test'],
      ['tee', 'a b.log'],
      ['cd', 'x'],
    ],
  ],
  ['A=1 git log', [['A=1', 'git', 'log']]],
  ['git log > out.txt', [['git', 'log']]],
  ['git $(rm -r x)', null],
  ['git `rm -r x`', null],
  ['git "$(rm -r x)"', null],
  ['diff <(rm x) a', null],
  ['$GIT log', null],
  ['git log *.js', null],
  ['git commit -F - <<E\n$(rm x)\nE', null],
  ['git "unfinished', null],
])('%s', (line, expected) => {
  expect(simpleCommands(line)).toEqual(expected);
});
