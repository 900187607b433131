/** Which texts resolve the conflicts of a marked text, and change nothing else. */
import { describe, expect, it } from 'vitest';
import { findUnresolved, hasMarks } from '../../../src/workspace/text/conflict-marks.ts';

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
