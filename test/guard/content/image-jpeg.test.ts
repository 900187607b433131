/** What a JPEG holds besides its pixels. */
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../src/guard/content/image.ts';
import {
  jpegCodes,
  jpegFrame,
  jpegOf,
  jpegScan,
  jpegTable,
  type Segment,
} from '../../doubles/images.ts';
import { text } from './images.ts';

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
