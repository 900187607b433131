/** Which files of a repository are instructions for agents, what each is about, and what it imports. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInstructionFiles } from '../../../src/workspace/trusted/instruction-files.ts';
import { openFolderFiles } from '../../../src/workspace/trusted/trusted-files.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const byPattern = (lines: string) => `---\n${lines}\n---\nText.\n`;
const at = (name: string) => `.github/instructions/${name}.instructions.md`;

const files = {
  'AGENTS.md': 'Root.\n',
  'CLAUDE.md':
    'See @docs/one.md, (@docs/no and @docs/two).\n```\n@docs/code.md\n```\n~~~\n@docs/code.md\n~~~\n@../out.md @~/home.md\n',
  'agents.md': 'Another name.\n',
  '.claude/CLAUDE.md': 'Beside.\n',
  'a/.claude/CLAUDE.md': 'Not a place.\n',
  'a/b/AGENTS.md': '@CLAUDE.md\n',
  'a/b/CLAUDE.md': '@AGENTS.md\n',
  'c/AGENTS.md': 'Write to @octocat, or see @docs/one.md.\n',
  'docs/one.md': 'One. @three.md\n',
  'docs/two': 'Two.\n',
  'docs/three.md': 'Three. @one.md\n',
  'docs/code.md': 'Code.\n',
  [at('scripts')]: byPattern('applyTo: "**/*.{ts,tsx},*.py, lib/**/*.go"'),
  [at('nested/list')]: byPattern('applyTo:\n  - src/**\n  - "*.MD"'),
  [at('all')]: byPattern('applyTo: "*"'),
  [at('none')]: byPattern('description: none'),
  [at('review')]: byPattern('applyTo: "**"\nexcludeAgent: code-review'),
  [at('coding')]: byPattern('applyTo: "**"\nexcludeAgent: [cloud-agent]'),
  [at('broken')]: '---\napplyTo: [\n---\n',
  [at('binary')]: '\0',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
mkdirSync(join(folder, 'd'));
symlinkSync('../AGENTS.md', join(folder, 'd/AGENTS.md'));
symlinkSync('AGENTS.md', join(folder, 'c/CLAUDE.md'));

const found = await findInstructionFiles(openFolderFiles(folder));

const appliesTo = (path: string) =>
  found.files.filter(f => !f.everywhere && f.appliesTo(path)).map(f => f.path);
const read = async (path: string) =>
  (await found.read(path)).map(each => [each.path, each.text.split('\n')[0]]);

describe('instruction files', () => {
  it('of the whole repository are those of the root and those for all files', () => {
    expect(found.files.filter(f => f.everywhere).map(f => f.path)).toEqual([
      at('all'),
      at('review'),
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
    ]);
  });

  it.each([
    ['x/y.ts', [at('scripts')]],
    ['y.tsx', [at('scripts')]],
    ['tool.py', [at('scripts')]],
    ['x/tool.py', []],
    ['lib/x/y.go', [at('scripts')]],
    ['src/.hidden/x.c', [at('nested/list')]],
    ['README.md', []],
    ['a/b/c/x.txt', ['a/b/AGENTS.md', 'a/b/CLAUDE.md']],
    ['a/bc.txt', []],
  ])('for %s are %s', (path, expected) => {
    expect(appliesTo(path)).toEqual(expected);
  });

  it('without an effect are named with the reason', () => {
    const reasons = Object.fromEntries(found.ignored.map(i => [i.path, i.reason]));
    expect(reasons).toEqual({
      [at('none')]: 'it has no applyTo',
      [at('coding')]: 'excludeAgent leaves coding agents out',
      [at('broken')]: expect.stringContaining('its front matter: '),
      [at('binary')]: 'it is not text',
      'c/CLAUDE.md': 'it is a link, which is not followed',
      'd/AGENTS.md': 'it is a link, which is not followed',
    });
  });

  it('import files of the repository, each once, outside of code', async () => {
    expect(await read('CLAUDE.md')).toEqual([
      ['CLAUDE.md', 'See @docs/one.md, (@docs/no and @docs/two).'],
      ['docs/one.md', 'One. @three.md'],
      ['docs/two', 'Two.'],
      ['docs/three.md', 'Three. @one.md'],
    ]);
    expect(await read('c/AGENTS.md')).toHaveLength(1);
    expect(await read('a/b/AGENTS.md')).toEqual([]);
  });
});
