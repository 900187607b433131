/** A skill that grants `Bash(git:*)` permits no line in which a shell could start another program. */
import { expect, it } from 'vitest';
import { simpleCommands } from '../../src/tools/shell-line.ts';
import { objection } from '../guard/granted.ts';

// in each line dash or bash would start rm, though a reader may see only git
it.each([
  'git status; rm x',
  'git status\nrm x',
  'git status & rm x',
  'git status | rm x',
  'git status && (rm x)',
  'git status || { rm x; }',
  '! git status || rm x',
  'if git status; then rm x; fi',
  'git() { rm x; }; git',
  'PATH=/tmp/bin git status',
  'env git status; command rm x',
  'git "$(rm x)"',
  "git '$(rm x)' `rm x`",
  'git diff <(rm x) y',
  '"$GIT" status',
  'git $(rm x) status',
  // dash has no &>: it starts git in the background, then rm with its output in a file
  'git status &>y rm x',
  'git status &<y rm x',
  'git status &>>y rm x',
  // to a shell CR is no blank, so that no comment begins here
  'git status \r#; rm x',
  // the here-document ends at $E or, joined with the line after it, at E
  'git log <<$E\n$E\nrm x\n\n',
  'git log <<E\nE\\\n\nrm x\nE\n',
  'git log &<<E rm x\nE\n',
  'git log "unfinished; rm x',
])('%j is refused', line => {
  expect(objection(line)).toMatch(/^the active skills permit only /);
});

it.each([
  'git log --oneline -- "a b.js" | git cat-file --batch; git status',
  '(git status) 2>&1 # and no rm',
  "git commit -m 'rm x; rm y'",
  'git \\\n  status',
  'git log > x.txt 2>/dev/null',
])('%j is permitted', line => {
  expect(objection(line)).toBeUndefined();
});

it.each<[string, readonly (readonly string[])[] | undefined]>([
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
  ['git $(rm -r x)', undefined],
  ['git `rm -r x`', undefined],
  ['git "$(rm -r x)"', undefined],
  ['diff <(rm x) a', undefined],
  ['$GIT log', undefined],
  ['git log *.js', undefined],
  ['git commit -F - <<E\n$(rm x)\nE', undefined],
  ['git "unfinished', undefined],
])('%s', (line, expected) => {
  expect(simpleCommands(line)).toEqual(expected);
});
