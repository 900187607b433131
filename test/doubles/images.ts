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

export function png({ width = 2, height = 2, hidden = '' }: ImageFields = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(Math.min(height, 4) * (Math.min(width, 4) + 1));
  const text = Buffer.from(`Comment\0${hidden}`, 'latin1');
  const metadata = hidden === '' ? [] : ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'iCCP', 'prVt'];
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...metadata.map(name => chunk(name, text)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(hidden, 'latin1'),
  ]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export function jpeg({ width = 2, height = 2, hidden = '' }: ImageFields = {}): Buffer {
  const frame = Buffer.alloc(9);
  frame[0] = 8;
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  frame.set([1, 1, 0x11, 0], 5);
  const text = Buffer.from(hidden, 'latin1');
  const metadata = hidden === '' ? [] : [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...metadata.map(marker => segment(marker, text)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xc4, Buffer.alloc(20, 1)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    // compressed data with an escaped byte and a restart
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
    text,
  ]);
}
