import { describe, expect, it } from 'vitest';
import { asCheckedOut, isCheckedOut } from '../../../src/workspace/files/line-ends.ts';

const lf = 'one\ntwo\nthree\n';
const crlf = lf.replaceAll('\n', '\r\n');
const image = Buffer.from([0x89, 0x50, 0, 10, 13, 10]);

describe('line ends', () => {
  const bytes = (text: string) => Buffer.from(text);
  it.each([
    ['the same', bytes(lf), bytes(lf), true],
    ['CRLF for each LF', bytes(lf), bytes(crlf), true],
    ['CRLF for some', bytes(lf), bytes('one\r\ntwo\nthree\n'), false],
    ['a committed CRLF', bytes(crlf), bytes(lf), false],
    [
      'a committed CRLF in one line, which git converts nothing of',
      bytes('a\r\nb\n'),
      bytes('a\r\nb\r\n'),
      false,
    ],
    ['another text', bytes(lf), bytes('one\r\n'), false],
    ['a binary file', image, Buffer.from('\u0089P\0\r\n\r\r\n', 'latin1'), false],
  ])('%s', (_name, committed, now, same) => {
    expect(isCheckedOut(committed, now)).toBe(same);
  });

  it('are those of the work tree only where git converted them', () => {
    const after = bytes('new\n');
    const written = (now: string) =>
      Buffer.from(asCheckedOut(after, { committed: bytes(lf), inWorkTree: bytes(now) })).toString();
    expect(written(lf)).toBe('new\n');
    expect(written(crlf)).toBe('new\r\n');
    expect(asCheckedOut(image, { committed: bytes(lf), inWorkTree: bytes(crlf) })).toBe(image);
  });
});
