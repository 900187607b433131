/** The line on which front matter sets a key. */
import { describe, expect, it } from 'vitest';
import { lineOfKey } from '../../src/guard/line-of-key.ts';

describe('front matter', () => {
  it.each([
    ['---\nlimits:\n  read_lines: 1\n---\n', 3],
    ['---\nlimits: {read_lines: 1}\n---\n', 2],
    ['---\nlimits: { "read_lines": 1 }\n---\n', 2],
    ["---\nlimits: { repairs: 1, 'read_lines' : 1 }\n---\n", 2],
    ['---\n# read_lines: 9\nlimits:\n  # read_lines: 8\n  read_lines: 1\n---\n', 5],
    ['---\nlimits: # about read_lines\n  read_lines: 1\n---\n', 3],
    ['---\nx_read_lines: 1\nread_lines: 2\n---\n', 3],
    ['---\na: 1\n---\nread_lines: 1\n', 1],
    ['---\na: 1\n--- \nread_lines: 1\n', 1],
    ['---\nb: "x---"\nread_lines: 1\n---\n', 3],
    ['---\nb: x\n  ---y\nread_lines: 1\n---\n', 4],
    ['---\nread_lines: 1\n---\n', 2],
  ])('the key of %j is on line %i', (front, line) => {
    expect(lineOfKey(front, 'read_lines')).toBe(line);
  });

  it('finds a key with characters that mean something in a pattern', () => {
    expect(lineOfKey('---\naxb: 1\na.b: 2\n---\n', 'a.b')).toBe(3);
  });
});

describe('the line of a key', () => {
  it.each([
    ['---\na: 1\nb: 2\n---\n', 'b', 3],
    ['---\n# b: in a comment\nb: 2\n---\n', 'b', 3],
    ['---\na: { x: 1, b: 2 }\n---\n', 'b', 2],
    ['---\n"b": 2\n---\n', 'b', 2],
    ['---\nab: 1\n---\nb: in the body\n', 'b', 1],
    ['---\na: 1\n--- \nb: in the body\n', 'b', 1],
    ['---\na: 1\nx---\nb: 2\n---\n', 'b', 4],
    ['---\na: 1\n---x\nb: 2\n---\n', 'b', 4],
    ['---\na: no # sign\nb: 2 # sign\n---\n', 'b', 3],
    ['---\na: 1\n---\n', 'missing', 1],
  ])('in %j of %s is %i', (text, key, line) => {
    expect(lineOfKey(text, key)).toBe(line);
  });
});
