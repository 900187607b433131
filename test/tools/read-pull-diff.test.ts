/** read_pull_diff lists the files of the pull request, and shows one. */
import { describe, expect, it } from 'vitest';
import type { PullDiff } from '../../src/tools/pull-diff.ts';
import { readPullDiff } from '../../src/tools/read-pull-diff.ts';
import { callTool } from './play.ts';

const diff: PullDiff = {
  files: [
    { path: 'a.js', status: 'modified', added: 1, deleted: 1, patch: '@@ -1 +1 @@\n-a\n+b' },
    { path: 'b.png', status: 'added', added: 0, deleted: 0, patch: '' },
  ],
  cut: true,
};
const read = (args: object) => callTool(readPullDiff, args, { pullDiff: async () => diff });

describe('read_pull_diff', () => {
  it('lists the files, and says when there are more', async () => {
    expect(await read({})).toMatchObject({
      text: 'modified a.js +1 -1\nadded b.png +0 -0\nGitHub lists no more files of this pull request.',
      facts: { files: 2 },
    });
  });

  it('shows one file under any spelling of its path, and no lines are evidence', async () => {
    const { text, paths, events } = await read({ file_path: './a.js' });
    expect(text).toBe('modified a.js +1 -1\n@@ -1 +1 @@\n-a\n+b');
    expect(paths).toEqual(['a.js']);
    expect(events).toBeUndefined();
  });

  it('says that a file has no text, or that it is not changed', async () => {
    expect((await read({ file_path: 'b.png' })).text).toBe(
      'added b.png +0 -0\nThere is no text that can be compared.',
    );
    expect((await read({ file_path: 'c.js' })).text).toBe('The pull request does not change c.js.');
  });

  it('fails without a diff', async () => {
    expect(await callTool(readPullDiff, {}, { pullDiff: undefined })).toMatchObject({
      failed: 'the diff is not available',
    });
  });
});
