/** Which changed lines hold code, where no grammar knows the language. */
import { expect, it } from 'vitest';
import { changedCode } from '../../../src/repair/proof/changed-lines.ts';
import { listCodeHunks } from '../../../src/repair/proof/removable.ts';
import { changeOf } from '../../verify/changes.ts';

const unknown = { withTree: async () => undefined };

it('counts neither documents nor comments nor blank lines', async () => {
  const changes = [
    changeOf('CHANGELOG.md', '# 1\n', '# 2\n\n- Added a\n# 1\n'),
    changeOf('docs/man/tool.txt', undefined, 'text\n'),
    changeOf('HISTORY', 'a\n', 'b\n'),
    changeOf('Makefile', 'all:\n', '# builds it\n\nall:\n\ttrue\n'),
    changeOf('a.zig', undefined, '// a comment\nconst a = 1;\n'),
  ];
  expect(await changedCode(unknown, changes)).toEqual([
    expect.objectContaining({ path: 'Makefile', lines: [4], isParsed: false }),
    expect.objectContaining({ path: 'a.zig', lines: [2], isParsed: false }),
  ]);
});

it('a directive is no comment, and neither is a program line', async () => {
  const text = '#!/bin/sh\n#define A 1\n# a comment\n';
  const [found] = await changedCode(unknown, [changeOf('tool.unknown', undefined, text)]);
  expect(found?.lines).toEqual([1, 2]);
});

it('leaves out no hunk that a test cannot notice', async () => {
  const binary = { mode: '100644' as const, bytes: Buffer.from([0, 1]) };
  const changes = [
    changeOf('README.md', 'a\n', 'b\n'),
    changeOf('NEWS.md', undefined, 'a\n'),
    changeOf('Makefile', 'all:\n\ttrue\nend:\n', '# it\nall:\n\ttrue\nfin:\n'),
    { path: 'a.bin', before: undefined, after: binary },
  ];
  const hunks = await listCodeHunks(unknown, changes, await changedCode(unknown, changes));
  expect(hunks.map(h => [h.path, h.replaced?.newStart])).toEqual([
    ['Makefile', 3],
    ['a.bin', undefined],
  ]);
});
