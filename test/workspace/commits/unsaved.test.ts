/** What of a work tree belongs to no commit. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { readUnsaved } from '../../../src/workspace/commits/unsaved.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { runGit } from '../../../src/workspace/git/git-process.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

it('names files that differ and files that are new, but none whose times alone git does not know', async () => {
  const [checkout, scratch] = [join(folder, 'repo'), join(folder, 'scratch')];
  makeRepository(checkout, { files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  mkdirSync(scratch);
  for (const path of ['a.txt', 'b.txt']) utimesSync(join(checkout, path), 1, 1);
  writeFileSync(join(checkout, 'b.txt'), 'mine\n');
  writeFileSync(join(checkout, 'new.txt'), 'new\n');
  const programs = findPrograms(process.env.PATH ?? '', []);
  const git = await openGit(checkout, { scratch, programs });
  const { changed, untracked } = await readUnsaved(git, { programs }).finally(() => git.close());
  expect([changed, untracked]).toEqual([['b.txt'], ['new.txt']]);
});

it('passes over what a sparse checkout leaves out, and names what is there all the same', async () => {
  const [checkout, scratch] = [join(folder, 'sparse'), join(folder, 'scratch-2')];
  const files = { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/c.txt': 'c\n' };
  makeRepository(checkout, { files });
  mkdirSync(scratch);
  const programs = findPrograms(process.env.PATH ?? '', []);
  const git = (...args: string[]) => runGit({ cwd: checkout, programs, args });
  await git('sparse-checkout', 'set', 'in');
  const read = async () => {
    const opened = await openGit(checkout, { scratch, programs });
    return (await readUnsaved(opened, { programs }).finally(() => opened.close())).changed;
  };
  expect(await read()).toEqual([]);
  mkdirSync(join(checkout, 'out'), { recursive: true });
  writeFileSync(join(checkout, 'out/c.txt'), 'mine\n');
  writeFileSync(join(checkout, 'in/a.txt'), 'mine\n');
  expect(await read()).toEqual(['in/a.txt', 'out/c.txt']);
});
