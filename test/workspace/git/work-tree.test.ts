/** The files of a checkout that differ from its commit, whatever form its index has. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openGit } from '../../../src/workspace/git/git.ts';
import { discard, makeFolder } from '../../harness.ts';
import {
  change,
  checkout,
  git,
  git0,
  openPlace,
  programs,
  state,
  usePlace,
} from '../views/place.ts';

usePlace();
beforeEach(() => openPlace({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c/d.txt': 'd\n' }));

async function differing() {
  const scratch = makeFolder();
  const opened = await openGit(checkout, { scratch, programs });
  try {
    return await opened.workTree.differing();
  } finally {
    opened.close();
    discard(scratch);
  }
}

const index = () => join(checkout, '.git', 'index');
const write = (path: string) => writeFileSync(join(checkout, path), 'changed\n');

it.each<[string, () => void]>([
  ['as git writes it', () => {}],
  ['version 4', () => git0('update-index', '--index-version', '4')],
  ['split', () => git0('update-index', '--split-index')],
  ['a file to be added', () => git0('add', '-N', '.')],
  ['a changed file that is staged', () => git0('add', 'b.txt')],
  [
    'a changed file that git is told to assume unchanged',
    () => git0('update-index', '--assume-unchanged', 'b.txt'),
  ],
  [
    'a changed file that is left out of the work tree',
    () => git0('update-index', '--skip-worktree', 'b.txt'),
  ],
  [
    'files of an unfinished merge',
    () => {
      const oid = git0('rev-parse', 'HEAD:c/d.txt').toString().trim();
      const stages = [1, 2, 3].map(stage => `100644 ${oid} ${stage}\tc/d.txt\n`);
      const input = `0 ${'0'.repeat(oid.length)}\tc/d.txt\n${stages.join('')}`;
      execFileSync('git', ['update-index', '--index-info'], { cwd: checkout, input });
    },
  ],
  ['broken', () => writeFileSync(index(), readFileSync(index()).fill(7, 40, 60))],
  ['cut off', () => writeFileSync(index(), readFileSync(index()).subarray(0, 30))],
])('with an index: %s', async (_, changeIndex) => {
  expect(await differing()).toEqual([]);
  write('b.txt');
  writeFileSync(join(checkout, 'new.txt'), '');
  changeIndex();
  expect(await differing()).toEqual(['b.txt']);
});

it('a listing that failed is asked again', async () => {
  const scratch = makeFolder();
  const other = await openGit(checkout, { scratch, programs });
  const added = [change('e.txt', state('e\n'))];
  const tree = await git.writeTree(added);
  await expect(other.listTreeEntries(tree)).rejects.toMatchObject({ code: 'GIT' });
  expect(await other.writeTree(added)).toBe(tree);
  expect([...(await other.listTreeEntries(tree)).keys()]).toContain('e.txt');
  other.close();
  discard(scratch);
});
