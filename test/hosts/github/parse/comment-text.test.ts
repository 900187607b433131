import { expect, it } from 'vitest';
import {
  findLocation,
  ownMark,
  textDigest,
} from '../../../../src/hosts/github/parse/comment-text.ts';

it('a digest does not depend on the kind of line ends', () => {
  expect(textDigest('a\r\nb\rc')).toBe(textDigest('a\nb\nc'));
  expect(textDigest('a b')).not.toBe(textDigest('a\nb'));
});

it.each([
  [
    { path: 'a.js', line: 3, start_line: 1 },
    { path: 'a.js', startLine: 1, endLine: 3 },
  ],
  [
    { path: 'a.js', line: 3, start_line: undefined },
    { path: 'a.js', startLine: 3, endLine: 3 },
  ],
  [
    { path: 'a.js', line: undefined },
    { path: 'a.js', startLine: null, endLine: null },
  ],
  [{ path: undefined, line: 3 }, undefined],
  [{}, undefined],
])('the place of %j is %j', (comment, place) => expect(findLocation(comment)).toEqual(place));

it('a mark of Photon is told from other comments of HTML', () => {
  expect(ownMark.test('text\n<!-- photon:task=fix-1 -->')).toBe(true);
  expect(ownMark.test('<!-- other:task=fix-1 -->')).toBe(false);
});
