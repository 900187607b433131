import { describe, expect, it } from 'vitest';
import { countAdded } from '../../src/guard/patch-size.ts';

describe('the number of added lines', () => {
  it.each([
    ['', 0],
    ['one', 1],
    ['one\n', 1],
    ['\n', 1],
    ['one\ntwo', 2],
    ['one\ntwo\n', 2],
    ['one\n\n', 2],
  ])('of %j is %i', (text, lines) => {
    expect(countAdded(text)).toBe(lines);
  });
});
