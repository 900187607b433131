import { expect, it } from 'vitest';
import type { GitHub } from '../../../../src/hosts/github/api/github.ts';
import { listPullFiles, withoutWithheld } from '../../../../src/hosts/github/api/pull-files.ts';

it('a renamed file is withheld under either of its names', () => {
  const files = [
    { filename: 'a.js' },
    { filename: '.env' },
    { filename: 'b.txt', previous_filename: '.env' },
    { filename: '.env', previous_filename: 'c.txt' },
  ];
  expect(withoutWithheld(files, path => path === '.env')).toEqual([{ filename: 'a.js' }]);
});

/** A client whose pull request has these files, a hundred on a page. */
function clientOf(files: readonly { filename: string; patch?: string }[]): GitHub {
  const listFiles = async ({ page }: { page: number }) => ({
    data: files.slice((page - 1) * 100, page * 100),
  });
  return { rest: { pulls: { listFiles } } } as unknown as GitHub;
}

it('the ranges of a file are those of the new side of its hunks', async () => {
  const patch = '@@ -1,2 +1,3 @@\n a\n@@ -9 +10 @@ f()\n-x\n+y\n@@ -20,2 +21,0 @@\n-z\n';
  const files = [{ filename: 'a.js', patch }, { filename: 'large.bin' }];
  expect(await listPullFiles(clientOf(files), { number: 1 })).toEqual([
    {
      path: 'a.js',
      patch,
      ranges: [
        [1, 3],
        [10, 10],
      ],
    },
    { path: 'large.bin', patch: '', ranges: [] },
  ]);
});

it('all pages are read', async () => {
  const files = Array.from({ length: 250 }, (_, i) => ({ filename: `${i}.js` }));
  const listed = await listPullFiles(clientOf(files), { number: 1 });
  expect(listed.map(f => f.path)).toEqual(files.map(f => f.filename));
});
