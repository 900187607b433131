import { describe, expect, it } from 'vitest';
import { joinChanges, reapplyChanges } from '../../../src/workspace/commits/reapply.ts';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';

const state = (text: string | undefined, mode: FileState['mode'] = '100644') =>
  text === undefined ? undefined : { mode, bytes: Buffer.from(text) };
const change = (
  path: string,
  before: string | undefined,
  after: string | undefined,
): FileChange => ({
  path,
  before: state(before),
  after: state(after),
});
const merged = async () => Buffer.from('merged');
const refused = async () => undefined;

describe('a change on a base that moved', () => {
  it('stays where the base did not touch its file', async () => {
    const ours = [change('a', '1', '2')];
    expect(await reapplyChanges(ours, [change('b', '1', '2')], refused)).toEqual({
      ok: true,
      changes: ours,
    });
  });

  it('is merged with that of the base, whose mode it takes', async () => {
    const drift = [{ path: 'a', before: state('1'), after: state('3', '100755') }];
    expect(await reapplyChanges([change('a', '1', '2')], drift, merged)).toEqual({
      ok: true,
      changes: [{ path: 'a', before: state('3', '100755'), after: state('merged', '100755') }],
    });
  });

  it('is none when the base already has it', async () => {
    const same = [change('a', '1', '2')];
    expect(await reapplyChanges(same, same, refused)).toEqual({ ok: true, changes: [] });
  });

  it.each([
    ['a text that cannot be merged', change('a', '1', '2'), change('a', '1', '3')],
    ['a file that the base deleted', change('a', '1', '2'), change('a', '1', undefined)],
    ['a file that both added', change('a', undefined, '2'), change('a', undefined, '3')],
    ['a folder in its place', change('a', undefined, '2'), change('a/b', undefined, '3')],
    [
      'a file in the place of its folder',
      change('a/b', undefined, '2'),
      change('a', undefined, '3'),
    ],
  ])('conflicts with %s', async (_, ours, theirs) => {
    expect(await reapplyChanges([ours], [theirs], refused)).toEqual({
      ok: false,
      conflicts: [ours.path],
    });
  });
});

it('two sets of changes join to those from the first state to the last, by path', () => {
  const joined = joinChanges(
    [change('b', '1', '2'), change('c', undefined, '1')],
    [change('b', '2', '3'), change('c', '1', undefined), change('a', '1', '2')],
  );
  expect(joined).toEqual([change('a', '1', '2'), change('b', '1', '3')]);
});
