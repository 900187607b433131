/** A foreign image judged by its bytes: a bounded PNG or JPEG, rebuilt from what draws it and nothing else. Pure. */
import { crc32, inflateSync } from 'node:zlib';

/** Bounds of one image. Vendors refuse more than 8,000 pixels a side, and scale large images down. */
export const imageBounds = { bytes: 2_000_000, side: 8_000, pixels: 25_000_000 } as const;

/**
 * The image without its metadata, or why it is none that a model may see. Every other format is refused: GIF and
 * WebP have parts for text, too, and several pictures of several sizes.
 */
export function cleanImage(bytes: Uint8Array): CleanImage | { readonly problem: string } {
  if (bytes.length > imageBounds.bytes)
    return { problem: `it is larger than ${imageBounds.bytes} bytes` };
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = cleanPng(data, sizeProblem) ?? cleanJpeg(data);
  if (found === undefined) return { problem: 'it is no whole PNG or JPEG' };
  if ('problem' in found) return found;
  const problem = sizeProblem(found);
  return problem === undefined ? found : { problem };
}

function sizeProblem({ width, height }: ImageSize): string | undefined {
  const isLarge = Math.max(width, height) > imageBounds.side || width * height > imageBounds.pixels;
  return isLarge || width === 0 || height === 0 ? `it has ${width}×${height} pixels` : undefined;
}

/** An image that a model may see. */
export interface CleanImage {
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** The file without text, profiles, other metadata and what follows its end. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Size that the one header of an image states. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

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
function cleanPng(
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

/** A progressive image has about ten; each makes a decoder look at every pixel. */
const maxScans = 64;

/** Start of a frame that decoders of vendors read: baseline, extended and progressive. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Other frames (lossless, hierarchical, arithmetic), and what belongs to these. */
const unread: ReadonlySet<number> = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xdc, 0xde, 0xdf,
]);
const [huffmanTables, startOfScan, quantisationTables, restartInterval, adobe] = [
  0xc4, 0xda, 0xdb, 0xdd, 0xee,
];
const endOfImage = 0xd9;

interface Frame extends ImageSize {
  readonly segment: Buffer;
  /** The quantisation table of each component, by the id of the component. */
  readonly tables: ReadonlyMap<number, number>;
}

/** What was read so far. Tables wait until a frame or a scan names them. */
interface State {
  frame: Frame | undefined;
  scans: number;
  adobe: Buffer | undefined;
  restart: Buffer | undefined;
  readonly quantisation: Map<number, Buffer>;
  readonly huffman: Map<number, Buffer>;
  readonly kept: Buffer[];
}

/** The JPEG without its metadata; undefined for what is no whole JPEG, and for one with a second frame. */
function cleanJpeg(data: Buffer): CleanImage | undefined {
  if (data[0] !== 0xff || data[1] !== 0xd8) return undefined;
  const state: State = {
    frame: undefined,
    scans: 0,
    adobe: undefined,
    restart: undefined,
    quantisation: new Map(),
    huffman: new Map(),
    kept: [],
  };
  for (let at = 2; at + 1 < data.length; ) {
    const marker = data[at + 1] ?? 0;
    if (data[at] !== 0xff) return undefined;
    // fill bytes before a marker
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) return wholeImage(state);
    if (at + 4 > data.length) return undefined;
    const end = at + 2 + data.readUInt16BE(at + 2);
    if (end > data.length || end < at + 4) return undefined;
    const body = data.subarray(at + 4, end);
    const next = marker === startOfScan ? endOfScan(data, end) : end;
    if (!take(state, { marker, body, scan: data.subarray(end, next) })) return undefined;
    at = next;
  }
  return undefined;
}

function wholeImage({ frame, scans, kept, adobe: colours }: State): CleanImage | undefined {
  if (frame === undefined || scans === 0) return undefined;
  const { width, height } = frame;
  const head = [Buffer.from([0xff, 0xd8]), colours].filter(item => item !== undefined);
  const bytes = Buffer.concat([...head, ...kept, Buffer.from([0xff, endOfImage])]);
  return { mediaType: 'image/jpeg', bytes, width, height };
}

interface Segment {
  readonly marker: number;
  readonly body: Buffer;
  /** The compressed data after the start of a scan. */
  readonly scan: Buffer;
}

/** Takes a segment; false for one that makes the file no image. */
function take(state: State, { marker, body, scan }: Segment): boolean {
  if (unread.has(marker)) return false;
  if (frames.has(marker)) return takeFrame(state, marker, body);
  if (marker === quantisationTables) return takeTables(state.quantisation, body, quantisationSize);
  if (marker === huffmanTables) return takeTables(state.huffman, body, huffmanSize);
  if (marker === startOfScan) return takeScan(state, body, scan);
  if (marker === restartInterval) {
    state.restart = segment(marker, body);
    return body.length === 2;
  }
  // Adobe's mark of the colour space, without which some pictures have wrong colours
  if (marker === adobe && body.length === 12 && body.toString('latin1', 0, 5) === 'Adobe')
    state.adobe = segment(
      marker,
      Buffer.from([...body.subarray(0, 5), 0, 100, 0, 0, 0, 0, body[11] ?? 0]),
    );
  return true;
}

function takeFrame(state: State, marker: number, body: Buffer): boolean {
  const count = body[5] ?? 0;
  const isRead = body[0] === 8 && count >= 1 && count <= 4 && body.length === 6 + 3 * count;
  if (state.frame !== undefined || !isRead) return false;
  const tables = new Map<number, number>();
  for (let at = 6; at < body.length; at += 3) tables.set(body[at] ?? 0, body[at + 2] ?? 0);
  state.frame = {
    height: body.readUInt16BE(1),
    width: body.readUInt16BE(3),
    segment: segment(marker, body),
    tables,
  };
  return tables.size === count;
}

/** Bytes of the table that begins here, after the byte of its id. */
type SizeOfTable = (rest: Buffer) => number;

const quantisationSize: SizeOfTable = rest => ((rest[0] ?? 0) >> 4 === 0 ? 64 : 128);
const huffmanSize: SizeOfTable = rest => 16 + rest.subarray(1, 17).reduce((sum, n) => sum + n, 0);

/** Takes the tables of a segment, which must fill it; a later one of the same id takes the place of an earlier one. */
function takeTables(tables: Map<number, Buffer>, body: Buffer, sizeOf: SizeOfTable): boolean {
  for (let at = 0; at < body.length; ) {
    const rest = body.subarray(at);
    const size = 1 + sizeOf(rest);
    const id = rest[0] ?? 0;
    if (size > rest.length || size > 1 + 16 + 256 || (id & 0x0f) > 3 || id >> 4 > 1) return false;
    const key = sizeOf === quantisationSize ? id & 0x0f : id;
    tables.set(key, rest.subarray(0, size));
    at += size;
  }
  return true;
}

/** Keeps a scan, and before it the tables that it names and that were not kept yet. */
function takeScan(state: State, body: Buffer, scan: Buffer): boolean {
  const { frame, kept, quantisation, huffman } = state;
  const count = body[0] ?? 0;
  state.scans += 1;
  if (frame === undefined || count < 1 || count > 4 || body.length !== 4 + 2 * count) return false;
  if (state.scans > maxScans) return false;
  const needed: [number, Map<number, Buffer>, number][] = [];
  for (let at = 1; at < 1 + 2 * count; at += 2) {
    const [component = 0, coding = 0] = body.subarray(at, at + 2);
    const table = frame.tables.get(component);
    if (table === undefined) return false;
    needed.push([quantisationTables, quantisation, table]);
    needed.push([huffmanTables, huffman, coding >> 4]);
    needed.push([huffmanTables, huffman, 0x10 | (coding & 0x0f)]);
  }
  for (const [marker, tables, key] of needed) {
    const table = tables.get(key);
    if (table !== undefined) kept.push(segment(marker, table));
    tables.delete(key);
  }
  if (state.scans === 1) kept.push(frame.segment);
  if (state.restart !== undefined) kept.push(state.restart);
  state.restart = undefined;
  kept.push(segment(startOfScan, body), scan);
  return true;
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Where the compressed data of a scan ends: at the next marker that is no restart. */
function endOfScan(data: Buffer, from: number): number {
  for (let at = data.indexOf(0xff, from); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return data.length;
}
