/** A clone by hand is what git itself clones. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { discard, makeFolder } from '../harness.ts';
import { isAll } from '../seed.ts';
import { cloneByHand } from './git-clone.ts';
import { type GitFile, GitStore } from './git-store.ts';

const questions = [
  ['status', '--porcelain=v2', '--branch', '--ignored'],
  ['ls-files', '--stage', '--debug'],
  ['for-each-ref', '--format=%(refname) %(objectname) %(symref) %(upstream)'],
  ['config', '--list', '--local'],
  ['log', '--format=%H %s'],
  ['fsck', '--strict'],
];

/** What git tells of a clone, and its files with modes. */
function describe(folder: string): unknown {
  const ask = (args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(p => !/^\.git(\/|$)/.test(p))
    .sort()
    .map(path => {
      const stat = lstatSync(join(folder, path));
      const content = stat.isSymbolicLink()
        ? readlinkSync(join(folder, path))
        : stat.isFile() && readFileSync(join(folder, path), 'latin1');
      return [path, stat.mode, content];
    });
  // times and inodes differ between two clones
  const answers = questions.map(q => ask(q).replace(/^ +(ctime|mtime|dev):.*\n/gm, ''));
  return { answers, files };
}

function compare(store: GitStore, branch: string): void {
  const folder = makeFolder();
  try {
    const [own, theirs] = [join(folder, 'own'), join(folder, 'theirs')];
    expect(cloneByHand(store.files, own, branch)).toBe(true);
    execFileSync('git', ['clone', '-q', '-b', branch, store.dir, theirs], { stdio: 'pipe' });
    expect(describe(own)).toEqual(describe(theirs));
  } finally {
    discard(folder);
  }
}

const name = fc.constantFrom(
  'a',
  'b',
  'a.txt',
  'a-b',
  'a0',
  'Z',
  'ä',
  'with space',
  'x'.repeat(80),
);
const file = fc.tuple(
  fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/')),
  fc.constantFrom('100644', '100755', '120000') as fc.Arbitrary<NonNullable<GitFile['mode']>>,
  fc.string({ minLength: 1 }).filter(text => !text.includes('\0')),
);

it('of generated files, with a tag and a second branch', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 8 }), files => {
      const store = new GitStore();
      try {
        for (const [path, mode, content] of files)
          store.push('main', { [path]: { mode, content } });
        const side = store.push('side/way', {
          side: 'x',
          sub: { mode: '160000', content: 'a'.repeat(40) },
        });
        store.files.setRef('refs/tags/v1', side);
        compare(store, 'main');
        compare(store, 'side/way');
      } finally {
        store.close();
      }
    }),
    { numRuns: isAll ? 30 : 3 },
  );
});

it('is left to git where a file is changed at the checkout, and where there is no such branch', () => {
  const store = new GitStore();
  const folder = makeFolder();
  try {
    store.push('main', { 'deep/.gitattributes': '* text eol=crlf\n', 'deep/a': 'a\n' });
    for (const branch of ['main', 'other']) {
      expect(cloneByHand(store.files, join(folder, 'own'), branch)).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
    }
  } finally {
    store.close();
    discard(folder);
  }
});
