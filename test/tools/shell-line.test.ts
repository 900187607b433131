/** A skill that grants `Bash(git:*)` permits no line in which a shell could start another program. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedFiles, simpleCommands, writtenFiles } from '../../src/tools/shell-line.ts';
import { objection } from '../guard/granted.ts';
import { discard, makeFolder } from '../harness.ts';

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

/** Lines that write files of the project. */
const writing: readonly (readonly [line: string, ...files: string[]])[] = [
  ['echo broken > a.md', 'a.md'],
  ['echo broken >> a.md', 'a.md'],
  ['echo broken >| a.md', 'a.md'],
  ['echo broken 1> a.md', 'a.md'],
  ['ls nowhere 2> a.md', 'a.md'],
  ['npm test 2>&1 >a.md', 'a.md'],
  ['> a.md', 'a.md'],
  ['> a.md echo broken', 'a.md'],
  [': 1<> new.md', 'new.md'],
  ["echo 'x > y' > a.md", 'a.md'],
  ['echo broken > "a.md"', 'a.md'],
  ['echo broken > "a".m\'d\'', 'a.md'],
  ['echo broken > a\\.md', 'a.md'],
  ['echo broken > ./src/../a.md', 'a.md'],
  ['echo broken > "with space.md"', 'with space.md'],
  ['echo a > a.md && echo b > b.md', 'a.md', 'b.md'],
  ['echo a > a.md &\nwait', 'a.md'],
  ['(echo a > a.md)', 'a.md'],
  ['{ echo a; echo b; } > a.md', 'a.md'],
  ['if true; then echo a > a.md; fi', 'a.md'],
  ['case x in x) echo a > a.md;; esac', 'a.md'],
  ['cat <<E > a.md\nb > c\nE', 'a.md'],
  ["cat <<-'E' > a.md\n\tb > $(c\n\tE\necho b > b.md", 'a.md', 'b.md'],
  ['# a comment > b.md\necho a > a.md', 'a.md'],
  ['echo a \\\n> a.md', 'a.md'],
  ['echo a | tee a.md', 'a.md'],
  ['echo a | tee -- a.md', 'a.md'],
  ['echo a | LC_ALL=C tee a.md > /dev/null', 'a.md'],
  ["sed -i 's/x/y/' a.md", 'a.md'],
  ["sed -i.bak -e 's/x/y/' -e 's/z/w/' a.md b.md", 'a.md', 'b.md'],
  ["sed --in-place -n -E 's/x/y/p' a.md", 'a.md'],
  ['dd if=/dev/zero of=a.md bs=1 count=1', 'a.md'],
  ['cd src && echo a > price.js', 'src/price.js'],
  ['(cd src && ls); echo a > a.md', 'a.md'],
  ['cd -P src/sub; echo a > deep.js', 'src/sub/deep.js'],
  ['x=$(echo "a > b.md"); echo a > a.md', 'a.md'],
  [`echo "$\{HOME:->b.md}" "$((1 > 2))" > a.md`, 'a.md'],
];

/** Lines that hold what looks like a write and is none, or not one of the project's. */
const harmless: readonly string[] = [
  'grep "a > b.md" a.md',
  'npm test -- --grep "x > a.md"',
  'grep a \\> b.md',
  'git log --format="%h > %s" a.md',
  'awk \'$1 > 3 { print > "/dev/null" }\' a.md',
  'node -e "const f = a => a.md"',
  'echo "a -> b.md"',
  "sed -n 's/a > b.md//p' a.md",
  "sed 's/-i/x/' a.md",
  "sed -e 's/x/y/' a.md > /dev/null",
  'ls 2>/dev/null',
  'ls >&2',
  'ls nowhere 2>&-',
  'ls > /dev/null 2>&1',
  'cat < a.md',
  'cat <<E\na > b.md\nE',
  "cat <<'E'\n$(echo > b.md)\nE",
  'cat <<A; cat <<B\n> a.md\nA\n> b.md\nB',
  'ls # > a.md',
  'echo a#b',
  'test 1 -gt 0 && ls a.md',
  '[ 2 \\> 1 ]',
  'tee < a.md',
  'constructor a.md',
  'echo tee a.md',
  'dd if=a.md of=/dev/null',
  'cd / ; ls > /dev/null',
  'echo "$(cat a.md)"',
  "printf '%s\\n' '>' a.md",
  'find . -name "*.md" -newer a.md',
];

/** Lines whose writes cannot be told: they are let through, and the sandbox puts back what they write. */
const unclear: readonly string[] = [
  'echo a > $FILE',
  'echo a > "$DIR/a.md"',
  'echo a > $(echo a.md)',
  'echo a > *.md',
  'cd "$DIR" && echo a > a.md',
  'cd .. && echo a > a.md',
  'pushd src; echo a > a.md',
  'echo a > ~/a.md',
  'echo a > /tmp/a.md',
  'echo a > ../a.md',
  'echo "a > a.md',
  'echo $(a > a.md',
  'echo a >',
  '[[ a > a.md ]] && ls',
  '[[ a < b && c > a.md ]]',
  '',
];

const programs = ['npm', 'npx', 'git', 'jq', 'node'];

/** The files that a shell changes or makes as it runs a line. */
function changedBy(line: string): readonly string[] {
  const folder = makeFolder();
  try {
    const [work, bin] = [join(folder, 'work'), join(folder, 'bin')];
    mkdirSync(join(work, 'src', 'sub'), { recursive: true });
    mkdirSync(bin);
    for (const name of programs) symlinkSync('/bin/true', join(bin, name));
    const files = ['a.md', 'b.md', 'with space.md', 'package.json', 'src/price.js'];
    for (const file of files) writeFileSync(join(work, file), 'x\n');
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    try {
      execFileSync('sh', ['-c', line], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      if ((error as { status?: unknown }).status === undefined) throw error;
    }
    const found = readdirSync(work, { recursive: true, withFileTypes: true });
    return found
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => readFileSync(path, 'utf8') !== 'x\n')
      .map(path => path.slice(work.length + 1));
  } finally {
    discard(folder);
  }
}

describe('a line that writes', () => {
  it.each(writing)('%s', (line, ...files) => {
    expect(writtenFiles(line)).toEqual(files);
    expect(changedBy(line)).toEqual(expect.arrayContaining(files));
  });
});

describe('a line that writes nothing of the project', () => {
  it.each(harmless)('%s', line => {
    expect(writtenFiles(line)).toEqual([]);
    expect(changedBy(line)).toEqual([]);
  });
});

it.each(unclear)('what cannot be told is let through: %s', line => {
  expect(writtenFiles(line)).toEqual([]);
});

it('a line is read from the folder that it is started in', () => {
  expect(writtenFiles('echo a > price.js', 'src')).toEqual(['src/price.js']);
  expect(writtenFiles('echo a > ../a.md', 'src')).toEqual(['a.md']);
  expect(writtenFiles('echo a > ../a.md', '')).toEqual([]);
});

it('a long line of any sign is read to its end', () => {
  for (const part of ['"', '$(', '((', '<<E ', "'", '\\', '`', '${', '> ', '[[ ', '"$('])
    expect(writtenFiles(part.repeat(10_000 / part.length))).toEqual([]);
});

describe('a line that prints files', () => {
  it.each([
    ['cat src/a.js && head -n 5 b.js', ['src/a.js', '5', 'b.js']],
    ["cd src && sed -n '1,5p' a.js | awk '{print $1}'", ['src/a.js']],
    ['git ls-files | xargs cat', ['']],
    ['git ls-files -z | xargs -0 head', ['']],
    ['find . -name "*.js" -exec cat {} +', ['']],
    ['cat src/*', ['']],
    ['for f in $(ls); do cat "$f"; done', ['']],
    ['npm test | tail -20', []],
    ['grep cat src/a.js | xargs rm', []],
  ])('%s', (line, files) => {
    expect(printedFiles(line)).toEqual(files);
  });
});
