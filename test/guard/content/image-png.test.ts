/** What a PNG holds besides its pixels. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../src/guard/content/image.ts';
import { type Chunk, pngHeader, pngOf } from '../../doubles/images.ts';
import { text } from './images.ts';

const pixels: Chunk = ['IDAT', deflateSync(Buffer.alloc(2 * 3))];

const end: Chunk = ['IEND', Buffer.alloc(0)];

describe('text in a PNG besides its metadata', () => {
  const header: Chunk = ['IHDR', pngHeader(2, 2)];
  it.each<[string, readonly Chunk[]]>([
    [
      'colour chunks of any length',
      [header, ['gAMA', text], ['cHRM', text], ['sRGB', text], pixels, end],
    ],
    [
      'a palette that its colours do not use',
      [header, ['PLTE', text], ['tRNS', text], pixels, end],
    ],
    ['bytes behind the packed pixels', [header, ['IDAT', Buffer.concat([pixels[1], text])], end]],
    ['a last chunk with data', [header, pixels, ['IEND', text]]],
  ])('in %s is left out', (_where, chunks) => {
    expect(cleanImage(pngOf(chunks))).toEqual(cleanImage(pngOf([header, pixels, end])));
  });

  it.each<[string, readonly Chunk[]]>([
    ['a second header', [header, ['IHDR', pngHeader(2, 3)], pixels, end]],
    [
      'a second palette',
      [['IHDR', pngHeader(2, 2, 3)], ['PLTE', text], ['PLTE', text], pixels, end],
    ],
    ['more rows than the header says', [header, ['IDAT', deflateSync(Buffer.alloc(5000))], end]],
    ['fewer rows than the header says', [header, ['IDAT', deflateSync(Buffer.alloc(3))], end]],
    ['a header of another length', [['IHDR', Buffer.concat([header[1], text])], pixels, end]],
    ['an unknown colour type', [['IHDR', pngHeader(2, 2, 5)], pixels, end]],
  ])('with %s is refused', (_what, chunks) => {
    expect(cleanImage(pngOf(chunks))).toEqual({ problem: 'it is no whole PNG or JPEG' });
  });

  it('unpacks to no more than its header says, and not at all beyond the bounds', () => {
    // 64 MB of pixels in 64 KB
    const bomb: Chunk = ['IDAT', deflateSync(Buffer.alloc(64_000_000))];
    expect(cleanImage(pngOf([header, bomb, end]))).toEqual({
      problem: 'it is no whole PNG or JPEG',
    });
    const huge: Chunk = ['IHDR', pngHeader(0x7fffffff, 0x7fffffff)];
    expect(cleanImage(pngOf([huge, bomb, end]))).toMatchObject({
      problem: expect.stringContaining('pixels'),
    });
  });

  it.each([
    [0, 6],
    [2, 14],
    [6, 18],
  ])('of colour type %i with %i bytes of rows is kept', (colour, bytes) => {
    const chunks: readonly Chunk[] = [
      ['IHDR', pngHeader(2, 2, colour)],
      ['IDAT', deflateSync(Buffer.alloc(bytes))],
      end,
    ];
    expect(Buffer.from((cleanImage(pngOf(chunks)) as { bytes: Uint8Array }).bytes)).toEqual(
      pngOf(chunks),
    );
  });
});
