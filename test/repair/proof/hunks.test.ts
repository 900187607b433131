/** The hunks of a patch and its lines with code. A patch without some of its hunks is the base with the others, for any texts and any choice of hunks. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changedCode,
  changesInlineTests,
  type Hunk,
  listCodeHunks,
  listHunks,
  splitLines,
  withoutHunks,
} from '../../../src/repair/proof/hunks.ts';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';
import { seed } from '../../seed.ts';
import { changeOf } from '../../verify/changes.ts';

const stateOf = (text: string): FileState => ({ mode: '100644', bytes: Buffer.from(text) });

// few different lines, so that the same ones are moved, repeated and removed
const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', '}\r'), { maxLength: 14 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

/** The base with the hunks that are kept, put together from the side of the base. */
function keptOnly(before: string, after: string, kept: readonly Hunk[]): string {
  const [old, now] = [splitLines(stateOf(before)), splitLines(stateOf(after))];
  let made = '';
  let at = 0;
  for (const { replaced } of kept) {
    if (replaced === undefined) continue;
    made += old.slice(at, replaced.oldStart).join('');
    made += now.slice(replaced.newStart, replaced.newEnd).join('');
    at = replaced.oldEnd;
  }
  return made + old.slice(at).join('');
}

it('is the base with the hunks that are left', () => {
  const choice = fc.array(fc.boolean(), { minLength: 16, maxLength: 16 });
  void fc.assert(
    fc.property(text, text, choice, (before, after, leaves) => {
      const change: FileChange = { path: 'a', before: stateOf(before), after: stateOf(after) };
      const hunks = listHunks([change]);
      const left = new Set(hunks.filter((_hunk, i) => leaves[i]));
      const [found] = withoutHunks([change], left);
      const expected = keptOnly(
        before,
        after,
        hunks.filter(hunk => !left.has(hunk)),
      );
      const bytes = (found?.after ?? change.before)?.bytes ?? new Uint8Array();
      expect(Buffer.from(bytes).toString()).toBe(left.size === 0 ? after : expected);
    }),
    { seed, numRuns: 2000 },
  );
});

it('leaves a file out whose hunks are all left out, and one that is added as a whole', () => {
  const change: FileChange = { path: 'a', before: stateOf('a\nb\n'), after: stateOf('c\nb\nd\n') };
  const added: FileChange = { path: 'n', before: undefined, after: stateOf('x\n') };
  const hunks = listHunks([change, added]);
  expect(hunks).toHaveLength(3);
  expect(withoutHunks([change, added], new Set(hunks))).toEqual([]);
  expect(withoutHunks([change, added], new Set(hunks.slice(0, 2)))).toEqual([added]);
});

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

it('leaves out the tests inside a source file, also where their first line stays', async () => {
  const tests = (more: string) => `#[cfg(test)]\nmod tests {\n  fn a() {}\n${more}}\n`;
  const before = `fn f() -> i32 { 1 }\n\n${tests('')}`;
  const after = `fn f() -> i32 { 2 }\n\n${tests('  fn b() {}\n')}`;
  const change: FileChange = { path: 'a.rs', before: stateOf(before), after: stateOf(after) };
  const fresh: FileChange = { path: 'b.rs', before: undefined, after: stateOf(after) };
  const withTree = async () => undefined;
  const source = [change, fresh];
  const hunks = await listCodeHunks({ withTree }, source, await changedCode({ withTree }, source));
  expect(hunks.map(h => [h.path, h.replaced?.newStart])).toEqual([['a.rs', 0]]);
  expect(source.map(changesInlineTests)).toEqual([true, true]);
  expect(changesInlineTests({ ...change, after: stateOf(before.replace('1', '2')) })).toBe(false);
});
