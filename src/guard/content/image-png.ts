/** A PNG rebuilt from the chunks that draw it (PNG, third edition). Its pixels are unpacked only to find their end. Pure. */
import { crc32, inflateSync } from 'node:zlib';
import type { CleanImage, ImageSize } from './clean-image.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Samples of a pixel by colour type, and the bits that a sample may have. */
const colourTypes: ReadonlyMap<number, { readonly samples: number; readonly bits: string }> =
  new Map([
    [0, { samples: 1, bits: '1 2 4 8 16' }],
    [2, { samples: 3, bits: '8 16' }],
    [3, { samples: 1, bits: '1 2 4 8' }],
    [4, { samples: 2, bits: '8 16' }],
    [6, { samples: 4, bits: '8 16' }],
  ]);
const palette = 3;

/** First pixel and step, across and down, of each pass of an interlaced image. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

interface Header extends ImageSize {
  readonly data: Buffer;
  readonly colour: number;
  readonly bits: number;
  readonly bitsOfPixel: number;
  readonly isInterlaced: boolean;
}

interface Parts {
  readonly header: Header;
  /** Chunks that are needed besides the pixels, by name. */
  readonly others: ReadonlyMap<string, Buffer>;
  readonly pixels: Buffer;
}

/**
 * The PNG without its metadata; undefined for what is no whole PNG, and for one whose header or colours occur twice.
 * @param sizeProblem says before anything is unpacked whether a size is beyond the bounds.
 */
export function cleanPng(
  data: Buffer,
  sizeProblem: (size: ImageSize) => string | undefined,
): CleanImage | { readonly problem: string } | undefined {
  const parts = readChunks(data);
  if (parts === undefined) return undefined;
  const { header, others } = parts;
  const problem = sizeProblem(header);
  if (problem !== undefined) return { problem };
  const pixels = unpackPixels(parts);
  if (pixels === undefined) return undefined;
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header.data),
    ...['PLTE', 'tRNS'].flatMap(name => {
      const needed = others.get(name);
      return needed === undefined ? [] : [chunk(name, needed)];
    }),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { mediaType: 'image/png', bytes, width: header.width, height: header.height };
}

function readChunks(data: Buffer): Parts | undefined {
  if (!data.subarray(0, 8).equals(signature)) return undefined;
  let header: Header | undefined;
  const others = new Map<string, Buffer>();
  const pixels: Buffer[] = [];
  for (let at = 8; at + 12 <= data.length; ) {
    const length = data.readUInt32BE(at);
    const name = data.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > data.length) return undefined;
    const body = data.subarray(at + 8, at + 8 + length);
    if ((header === undefined) !== (name === 'IHDR')) return undefined;
    header ??= readHeader(body);
    if (header === undefined || others.has(name)) return undefined;
    if (name === 'IDAT') pixels.push(body);
    else if (pixels.length === 0 && isNeeded(name, body, header)) others.set(name, body);
    if (name === 'IEND') return { header, others, pixels: Buffer.concat(pixels) };
    at += 12 + length;
  }
  return undefined;
}

function readHeader(data: Buffer): Header | undefined {
  const [bits = 0, colour = 0, packing, filter, interlace = 0] = data.subarray(8);
  const type = colourTypes.get(colour);
  const isKnown = data.length === 13 && packing === 0 && filter === 0 && interlace <= 1;
  if (!isKnown || type?.bits.split(' ').includes(String(bits)) !== true) return undefined;
  return {
    data,
    colour,
    bits,
    bitsOfPixel: bits * type.samples,
    isInterlaced: interlace === 1,
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
  };
}

/** True for the colours of an image with a palette, and for what makes colours transparent, in their own size. */
function isNeeded(name: string, { length }: Buffer, { colour, bits }: Header): boolean {
  const most = 2 ** bits;
  if (name === 'PLTE') return colour === palette && length % 3 === 0 && length / 3 <= most;
  if (name !== 'tRNS') return false;
  if (colour === palette) return length <= most;
  return length === (colour === 0 ? 2 : colour === 2 ? 6 : -1);
}

/** The packed pixels without what follows them; undefined unless they unpack to those of the header. */
function unpackPixels({ header, pixels }: Parts): Buffer | undefined {
  const size = unpackedSize(header);
  try {
    const unpacked: unknown = inflateSync(pixels, { info: true, maxOutputLength: size });
    const { buffer, engine } = unpacked as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return buffer.length === size ? pixels.subarray(0, engine.bytesWritten) : undefined;
  } catch {
    return undefined; // broken, or more pixels than the header says
  }
}

/** Bytes of all rows; each begins with the byte of its filter. */
function unpackedSize({ width, height, bitsOfPixel, isInterlaced }: Header): number {
  const whole = [[0, 1, 0, 1]] as const;
  let bytes = 0;
  for (const [x, stepX, y, stepY] of isInterlaced ? passes : whole) {
    const [across, down] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    if (across > 0 && down > 0) bytes += down * (1 + Math.ceil((across * bitsOfPixel) / 8));
  }
  return bytes;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length, 0);
  made.set(body, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}
