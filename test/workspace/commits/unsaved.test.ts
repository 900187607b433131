/** What of a work tree belongs to no commit. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { readUnsaved } from '../../../src/workspace/commits/unsaved.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
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
