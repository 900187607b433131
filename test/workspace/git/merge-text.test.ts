/** How git merges three texts, in a repository whose attributes name another way. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { findUnresolved, hasMarks } from '../../../src/workspace/git/merge-text.ts';
import { cloneOf } from '../../doubles/git-store.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
const scratch = join(folder, 'scratch');
let git: Awaited<ReturnType<typeof openGit>>;
beforeAll(async () => {
  mkdirSync(scratch);
  const repo = join(folder, 'repo');
  // an attribute of the project must not decide about the merge
  cloneOf({ '.gitattributes': '* merge=ours text eol=crlf\n' }, repo);
  git = await openGit(repo, { scratch, programs: findPrograms(process.env.PATH ?? '', []) });
});
afterAll(() => {
  git.close();
  discard(folder);
});

const lines = (text: string) => Buffer.from(text);
const base = 'one\ntwo\nthree\nfour\nfive\n';
const merge = async (ours: string, theirs: string) => {
  const texts = { base: lines(base), ours: lines(ours), theirs: lines(theirs) };
  return (await git.mergeText(texts))?.toString() ?? 'conflict';
};

describe('three texts', () => {
  it('are merged where the sides changed other lines', async () => {
    expect(await merge(base.replace('one', '1'), base.replace('five', '5'))).toBe(
      '1\ntwo\nthree\nfour\n5\n',
    );
  });

  it('conflict where both changed the same line, or one is binary, and leave no file', async () => {
    expect(await merge(base.replace('two', '2'), base.replace('two', 'TWO'))).toBe('conflict');
    expect(await merge(base.replace('two', '\0'), base)).toBe('conflict');
    expect(
      readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter(name =>
        /merge-/.test(name),
      ),
    ).toEqual([]);
  });
});

const conflict = (ours: string, theirs: string) =>
  `<<<<<<< pull request\n${ours}\n||||||| before both\nold\n=======\n${theirs}\n>>>>>>> base branch\n`;
const two = `one\n${conflict('a', 'b')}two\n${conflict('c', 'd')}three\n`;

describe('a resolution', () => {
  it.each([
    ['one\na\ntwo\nd\nthree\n', undefined],
    ['one\na\nb\ntwo\nc\nd\nthree\n', undefined],
    ['one\ntwo\nthree\n', undefined],
    ['one\ntwo\ntwo\nd\nthree\n', undefined],
    ['ONE\na\ntwo\nd\nthree\n', 'outside'],
    ['one\na\nTWO\nd\nthree\n', 'outside'],
    ['one\na\ntwo\nd\nthree', 'outside'],
    ['one\na\ntwo\nd\n', 'outside'],
    ['', 'outside'],
    [two, 'marks'],
    [`one\na\ntwo\n${conflict('c', 'd')}three\n`, 'marks'],
    ['one\na\n=======\nb\ntwo\nd\nthree\n', 'marks'],
  ])('%j', (resolved, problem) => {
    const found = findUnresolved(two, resolved);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('may not take one line for two: the parts around the conflicts must not overlap', () => {
    expect(findUnresolved(`x\n${conflict('a', 'b')}x\n`, 'x\n')).toContain('outside');
  });

  it('knows marks with a carriage return, and no longer lines of the same characters', () => {
    expect(hasMarks('a\r\n=======\r\nb')).toBe(true);
    expect(hasMarks('Title\n========\n\n<<<<<<<<\n')).toBe(false);
  });
});
