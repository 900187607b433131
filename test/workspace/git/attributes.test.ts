/** Attributes of a tree, as git reads them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { findOverlay } from '../../../src/workspace/views/overlay.ts';
import { openViews } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';

const programs = findPrograms(process.env.PATH ?? '', []);
const folder = makeFolder();
const [checkout, scratch] = [join(folder, 'checkout'), join(folder, 'scratch')];
let git: Git;

beforeAll(async () => {
  mkdirSync(scratch);
  const files = {
    '.gitattributes':
      '[attr]big filter=lfs -text\n*.bin big\n*.md ident\n*.txt text eol=crlf\n*.raw -text eol=crlf\n* !filter\n*.csv filter=lfs\n',
    'sub/.gitattributes': '*.csv -filter\n*.jpg filter=lfs\n',
    'a.txt': 'one\ntwo\n',
    'linked/real': '*.js filter=evil\n',
  };
  makeRepository(checkout, { files, links: { 'linked/.gitattributes': 'real' } });
  // neither the work tree nor the index decides
  writeFileSync(join(checkout, '.gitattributes'), '*.js filter=lfs\n');
  execFileSync('git', ['add', '.gitattributes'], { cwd: checkout });
  mkdirSync(join(checkout, '.git', 'info'), { recursive: true });
  writeFileSync(join(checkout, '.git', 'info', 'attributes'), '*.own filter=lfs\n');
  git = await openGit(checkout, { scratch, programs });
});
afterAll(() => {
  git.close();
  discard(folder);
});

describe('the attributes of a tree', () => {
  it('name what git does with a file, existing or not, in every folder', async () => {
    const paths = ['x.csv', 'sub/x.csv', 'sub/deep/x.jpg', 'x.jpg', 'x.md', 'x.js', 'linked/x.js'];
    const found = await git.listConversions(git.tree, [...paths, 'x.own', 'a.txt', 'odd\n".csv']);
    expect([...found]).toEqual([
      ['x.csv', 'filter=lfs'],
      ['sub/deep/x.jpg', 'filter=lfs'],
      ['x.md', 'ident'],
      ['x.own', 'filter=lfs'],
      ['odd\n".csv', 'filter=lfs'],
    ]);
  });

  it('follow git where a later line takes a macro back', async () => {
    const path = 'x.bin';
    const args = ['check-attr', '--cached', 'filter', path];
    const tree = join(folder, 'plain');
    execFileSync('git', ['clone', '-q', checkout, tree]);
    const said = execFileSync('git', args, { cwd: tree, encoding: 'utf8' });
    const found = await git.listConversions(git.tree, [path]);
    expect(said).toContain(`${path}: filter: ${found.size === 0 ? 'unspecified' : 'lfs'}`);
  });

  it('are those of the tree that is asked about', async () => {
    const bytes = Buffer.from('*.png filter=lfs\n');
    const path = '.gitattributes';
    const changed = await git.writeTree([
      { path, before: undefined, after: { mode: '100644', bytes } },
    ]);
    expect((await git.listConversions(changed, ['x.png', 'x.csv'])).size).toBe(1);
    expect((await git.listConversions(git.tree, ['x.png', 'x.csv'])).size).toBe(1);
  });

  it('tell which files have CRLF in a checkout', async () => {
    expect([...(await git.findCrlf(git.tree, ['a.txt', 'new.txt', 'x.raw', 'x.js']))]).toEqual([
      'a.txt',
      'new.txt',
    ]);
  });
});

describe.each([
  ['an overlay', async () => (await findOverlay({ checkout, scratch, programs })).overlay],
  ['a copy', async () => null],
])('a view that is %s', (_kind, overlayOf) => {
  it('shows a patched file with the line ends of a checkout', async () => {
    const support = {
      overlay: (await overlayOf()) ?? undefined,
      home: '/home/x',
      caches: [],
      heldFolders: [],
    };
    const state = (text: string) => ({ mode: '100644', bytes: Buffer.from(text) }) as const;
    const after = state('one\n2\n');
    const change = { path: 'a.txt', before: state('one\ntwo\n'), after };
    const view = await openViews({ git, scratch, programs })(support, [change]);
    expect(readFileSync(join(view.written, 'a.txt'), 'utf8')).toBe('one\r\n2\r\n');
    await view.close();
  });
});
