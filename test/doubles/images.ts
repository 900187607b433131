/** Small images with metadata, made by hand: PNG and JPEG as their specifications have them. */
import { crc32, deflateSync } from 'node:zlib';

export interface ImageFields {
  readonly width?: number;
  readonly height?: number;
  /** Words in every kind of metadata. */
  readonly hidden?: string;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Chunks of a PNG: its name and its data. */
export type Chunk = readonly [string, Buffer];

/** A PNG of these chunks, in whatever order. */
export function pngOf(chunks: readonly Chunk[], after: Buffer = Buffer.alloc(0)): Buffer {
  const made = chunks.map(([name, data]) => chunk(name, data));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...made,
    after,
  ]);
}

/** The chunk that states the size: 8 bits of grey, unless `colour` is another type. */
export function pngHeader(width: number, height: number, colour = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colour, 0, 0, 0], 8);
  return header;
}

export function png({ width = 2, height = 2, hidden = '' }: ImageFields = {}): Buffer {
  // those of larger images are not unpacked
  const rows = Buffer.alloc(width * height > 1_000_000 ? 1 : height * (width + 1));
  const text = Buffer.from(`Comment\0${hidden}`, 'latin1');
  const metadata = hidden === '' ? [] : ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'iCCP', 'prVt'];
  return pngOf(
    [
      ['IHDR', pngHeader(width, height)],
      ...metadata.map((name): Chunk => [name, text]),
      ['IDAT', deflateSync(rows)],
      ['IEND', Buffer.alloc(0)],
    ],
    Buffer.from(hidden, 'latin1'),
  );
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Segments of a JPEG: the marker and the data; a scan with what is compressed behind it. */
export type Segment = readonly [number, Buffer, Buffer?];

/** A JPEG of these segments, in whatever order. */
export function jpegOf(segments: readonly Segment[], after: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments.flatMap(([marker, data, scan = Buffer.alloc(0)]) => [segment(marker, data), scan]),
    Buffer.from([0xff, 0xd9]),
    after,
  ]);
}

/** The segment that states the size: one component, which uses the first quantisation table. */
export function jpegFrame(width: number, height: number): Segment {
  const frame = Buffer.alloc(9);
  frame[0] = 8;
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  frame.set([1, 1, 0x11, 0], 5);
  return [0xc0, frame];
}

/** A quantisation table. */
export const jpegTable: Segment = [0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])];
/** A table of codes: one code of one bit. */
export const jpegCodes: Segment = [0xc4, Buffer.from([0, 1, ...Array(15).fill(0), 5])];
/** A scan whose compressed data has an escaped byte and a restart. */
export const jpegScan: Segment = [
  0xda,
  Buffer.from([1, 1, 0, 0, 63, 0]),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
];

export function jpeg({ width = 2, height = 2, hidden = '' }: ImageFields = {}): Buffer {
  const text = Buffer.from(hidden, 'latin1');
  const metadata = hidden === '' ? [] : [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe];
  return jpegOf(
    [
      ...metadata.map((marker): Segment => [marker, text]),
      jpegTable,
      jpegCodes,
      jpegFrame(width, height),
      jpegScan,
    ],
    text,
  );
}
