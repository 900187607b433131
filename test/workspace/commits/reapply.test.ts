import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { checkResolution } from '../../../src/run/final-check.ts';
import {
  joinChanges,
  mergeBranches,
  reapplyChanges,
} from '../../../src/workspace/commits/reapply.ts';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { cloneOf } from '../../doubles/git-store.ts';
import { discard, makeFolder } from '../../harness.ts';

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

describe('merge branches', () => {
  const folder = makeFolder();
  let git: Git;
  beforeAll(async () => {
    const [scratch, repo] = [join(folder, 'scratch'), join(folder, 'repo')];
    mkdirSync(scratch);
    cloneOf({ 'a.txt': 'a\n' }, repo);
    git = await openGit(repo, { scratch, programs: findPrograms(process.env.PATH ?? '', []) });
  });
  afterAll(() => {
    git.close();
    discard(folder);
  });

  const state = (text: string | undefined) =>
    text === undefined ? undefined : ({ mode: '100644', bytes: Buffer.from(text) } as const);
  const changed = (before: string | undefined, after: string | undefined): FileChange => ({
    path: 'src/part.js',
    before: state(before),
    after: state(after),
  });

  interface Conflict {
    readonly what: string;
    readonly before: string;
    readonly ours: string;
    readonly theirs: string;
    /** What the people of the project made of it. */
    readonly people: string;
    /** The tests of both sides, as far as both hold after the merge. */
    readonly test: (text: string) => unknown;
  }

  const load = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`);
  const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

  const conflicts: readonly Conflict[] = [
    {
      what: 'an import in a newer form, and another import below it',
      before: lines(`import path from 'path';`, '', 'export const at = path.posix.sep;'),
      ours: lines(`import path from 'node:path';`, '', 'export const at = path.posix.sep;'),
      theirs: lines(
        `import path from 'path';`,
        `import { isIP } from 'node:net';`,
        '',
        'export const at = path.posix.sep;',
        'export const kind = text => isIP(text);',
      ),
      people: lines(
        `import path from 'node:path';`,
        `import { isIP } from 'node:net';`,
        '',
        'export const at = path.posix.sep;',
        'export const kind = text => isIP(text);',
      ),
      test: async text => {
        assert.match(text, /'node:path'/);
        assert.equal((await load(text)).kind('::1'), 6);
      },
    },
    {
      what: 'entries of a list of changes that both sides began',
      before: lines('5.1.0', '=====', '', '* a list'),
      ours: lines('5.2.0', '=====', '', '* a repair', '', '5.1.0', '=====', '', '* a list'),
      theirs: lines('unreleased', '=====', '', '* a parser', '', '5.1.0', '=====', '', '* a list'),
      people: lines(
        '5.2.0',
        '=====',
        '',
        '* a repair',
        '* a parser',
        '',
        '5.1.0',
        '=====',
        '',
        '* a list',
      ),
      test: text => {
        assert.deepEqual(text.match(/^\* .*/gm), ['* a repair', '* a parser', '* a list']);
        assert.doesNotMatch(text, /unreleased/);
      },
    },
  ];

  const merge = ({ before, ours, theirs }: Pick<Conflict, 'before' | 'ours' | 'theirs'>) =>
    mergeBranches(
      { ours: [changed(before, ours)], theirs: [changed(before, theirs)] },
      git.markConflicts,
    );

  /** The marked text with one side of each conflict. */
  function pick(marked: string, side: 'ours' | 'theirs'): string {
    const hunk =
      /^<<<<<<< .*\n(?<ours>[\s\S]*?)\|\|\|\|\|\|\| .*\n[\s\S]*?^=======\n(?<theirs>[\s\S]*?)>>>>>>> .*\n/gm;
    return marked.replace(hunk, (...found) => {
      const groups = found.at(-1) as Record<'ours' | 'theirs', string>;
      return groups[side];
    });
  }

  describe('a conflict', () => {
    it.each(conflicts)('$what: the resolution of people stands', async conflict => {
      const merged = await merge(conflict);
      assert(merged.ok);
      expect(merged.marked).toHaveLength(1);
      const own = [changed(conflict.ours, conflict.people)];
      expect(() => checkResolution(own, merged)).not.toThrow();
      await conflict.test(conflict.people);
    });

    it.each(conflicts)('$what: the tests refuse a side that is not that', async conflict => {
      const merged = await merge(conflict);
      assert(merged.ok);
      const marked = Buffer.from(merged.marked[0]?.after?.bytes ?? []).toString();
      const picked = [pick(marked, 'ours'), pick(marked, 'theirs')];
      const wrong = picked.filter(text => text !== conflict.people);
      expect(wrong.length).toBeGreaterThan(0);
      for (const text of wrong)
        await expect(async () => conflict.test(text), text).rejects.toThrow();
      expect(() => checkResolution([], merged), 'nothing was resolved').toThrow('marks');
    });

    it('is taken by neither side alone when a change lies outside of it', async () => {
      const before = lines('a', 'b', 'c', 'd', 'e');
      const sides = { before, ours: before.replace('b', 'B'), theirs: before.replace('b', '2') };
      const merged = await merge(sides);
      assert(merged.ok);
      const further = before.replace('b', 'B').replace('e', 'stolen');
      expect(() => checkResolution([changed(sides.ours, further)], merged)).toThrow('outside');
      const other = { ...changed('x', 'y'), path: 'src/other.js' };
      expect(() => checkResolution([other], merged)).toThrow('has no conflict');
    });

    it('is left to people where lines cannot show it', async () => {
      const gone = await mergeBranches(
        { ours: [changed('a\n', 'b\n')], theirs: [changed('a\n', undefined)] },
        git.markConflicts,
      );
      expect(gone).toEqual({ ok: false, conflicts: ['src/part.js'] });
      const binary = await merge({ before: 'a\n', ours: 'b\0\n', theirs: 'c\n' });
      expect(binary.ok).toBe(false);
      const forged = '<<<<<<< pull request\nx\n=======\n>>>>>>> base branch\n';
      expect((await merge({ before: 'a\n', ours: forged, theirs: 'c\n' })).ok).toBe(false);
    });

    it('is none where the sides changed other lines', async () => {
      const before = lines('a', 'b', 'c', 'd', 'e');
      const merged = await merge({
        before,
        ours: before.replace('a', 'A'),
        theirs: before.replace('e', 'E'),
      });
      assert(merged.ok);
      expect(merged.marked).toEqual([]);
      expect(merged.changes[0]?.after?.bytes.toString()).toBe(lines('A', 'b', 'c', 'd', 'E'));
    });
  });
});
