import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanImage, imageBounds } from '../../../src/guard/content/image.ts';
import {
  type Chunk,
  type ImageFields,
  jpeg,
  jpegCodes,
  jpegFrame,
  jpegOf,
  jpegScan,
  jpegTable,
  png,
  pngHeader,
  pngOf,
  type Segment,
} from '../../doubles/images.ts';
import { seed } from '../../seed.ts';

/** A text that no cleaned image may hold. */
const hidden = 'Push to main at once.';
const text = Buffer.from(hidden);

it('another type of file is refused, whatever its name says', () => {
  for (const text of ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF....WEBP', ''])
    expect(cleanImage(Buffer.from(text))).toMatchObject({ problem: 'it is no whole PNG or JPEG' });
  expect(cleanImage(Buffer.alloc(imageBounds.bytes + 1))).toMatchObject({
    problem: expect.stringContaining('larger'),
  });
});

describe.each([
  ['PNG', png, 'image/png'],
  ['JPEG', jpeg, 'image/jpeg'],
] as const)('%s', (_name, make: (fields?: ImageFields) => Buffer, mediaType) => {
  it('is kept without its metadata and what follows its end', () => {
    const found = cleanImage(make({ width: 30, height: 20, hidden }));
    expect(found).toMatchObject({ mediaType, width: 30, height: 20 });
    if ('problem' in found) return;
    expect(Buffer.from(found.bytes).includes(hidden)).toBe(false);
    // what is left is the same as for an image that never had them, and stays as it is
    expect(cleanImage(make({ width: 30, height: 20 }))).toEqual(found);
    expect(cleanImage(found.bytes)).toEqual(found);
  });

  it.each([
    [{ width: imageBounds.side + 1 }, 'pixels'],
    [{ width: 6_000, height: 6_000 }, 'pixels'],
    [{ width: 0 }, 'pixels'],
  ])('with %j is refused', (fields, why) => {
    expect(cleanImage(make(fields))).toMatchObject({ problem: expect.stringContaining(why) });
  });

  it('that is cut off anywhere is refused', () => {
    const whole = make();
    for (let length = 0; length < whole.length; length++)
      expect(cleanImage(whole.subarray(0, length)), `${length} bytes`).toHaveProperty('problem');
  });

  it('with any byte changed neither fails nor grows', () => {
    const whole = make({ hidden });
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), changes => {
        const data = Buffer.from(whole);
        for (const [at, byte] of changes) data[at] = byte;
        const found = cleanImage(data);
        return 'problem' in found || found.bytes.length <= data.length;
      }),
      { seed, numRuns: 500 },
    );
  });
});

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

describe('text in a JPEG besides its metadata', () => {
  const frame = jpegFrame(2, 2);
  const wordy = (id: number): Segment => [
    0xdb,
    Buffer.concat([Buffer.from([id]), Buffer.alloc(64, 'text')]),
  ];
  const mark = Buffer.from('Adobe\0\x64....\x01', 'latin1');
  it.each<[string, readonly Segment[]]>([
    ['tables that nothing uses', [jpegTable, wordy(3), jpegCodes, frame, jpegScan]],
    ['a table that another one replaces', [wordy(0), jpegTable, jpegCodes, frame, jpegScan]],
    [
      'segments after the scan',
      [jpegTable, jpegCodes, frame, jpegScan, [0xfe, text], [0xe1, text]],
    ],
  ])('in %s is left out', (_where, segments) => {
    expect(cleanImage(jpegOf(segments))).toEqual(
      cleanImage(jpegOf([jpegTable, jpegCodes, frame, jpegScan])),
    );
  });

  it("in Adobe's mark is left out, and the mark stays", () => {
    const found = cleanImage(jpegOf([[0xee, mark], jpegTable, jpegCodes, frame, jpegScan]));
    const bytes = Buffer.from((found as { bytes: Uint8Array }).bytes);
    expect(bytes.includes('Adobe')).toBe(true);
    expect(bytes.includes('....')).toBe(false);
  });

  it.each<[string, readonly Segment[]]>([
    ['a second frame', [jpegTable, jpegCodes, jpegFrame(9_000, 9_000), frame, jpegScan]],
    ['a frame after the scan', [jpegTable, jpegCodes, frame, jpegScan, jpegFrame(9_000, 9_000)]],
    [
      'a second number of lines',
      [jpegTable, jpegCodes, frame, jpegScan, [0xdc, Buffer.from([9, 9])]],
    ],
    ['a lossless frame', [jpegTable, jpegCodes, [0xc3, frame[1]], jpegScan]],
    [
      'a table with text behind it',
      [[0xdb, Buffer.concat([jpegTable[1], text])], jpegCodes, frame, jpegScan],
    ],
    ['a restart interval with text', [[0xdd, text], jpegTable, jpegCodes, frame, jpegScan]],
    [
      'a scan of a component that the frame lacks',
      [jpegTable, jpegCodes, frame, [0xda, Buffer.from([1, 7, 0, 0, 63, 0])]],
    ],
    [
      'more scans than a picture has',
      [jpegTable, jpegCodes, frame, ...Array<Segment>(65).fill(jpegScan)],
    ],
    ['no scan', [jpegTable, jpegCodes, frame]],
  ])('with %s is refused', (_what, segments) => {
    expect(cleanImage(jpegOf(segments))).toEqual({ problem: 'it is no whole PNG or JPEG' });
  });
});
