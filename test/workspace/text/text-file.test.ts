import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTextFile, renderTextFile } from '../../../src/workspace/text/text-file.ts';
import { anyText, file, text } from './any-text.ts';

describe('a text file', () => {
  it('round-trips byte for byte with any line endings, byte order mark and end', () => {
    fc.assert(fc.property(anyText, t => void expect(text(file(t))).toBe(t)));
  });

  it('round-trips from any bytes that are text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), b => {
        const parsed = parseTextFile(b);
        if (parsed !== 'binary') expect([...renderTextFile(parsed)]).toEqual([...b]);
      }),
    );
  });

  it.each([
    [[0x61, 0, 0x62]],
    [[0xff, 0xfe, 0x61, 0]],
    [[0xc3, 0x28, 1]],
    [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ])('%j is binary', b => {
    expect(parseTextFile(Uint8Array.from(b))).toBe('binary');
  });
});
