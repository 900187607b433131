/** A JPEG rebuilt from the segments that draw it (ITU-T T.81): one frame, the tables of its scans, the scans. Pure. */
import type { CleanImage, ImageSize } from './clean-image.ts';

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
export function cleanJpeg(data: Buffer): CleanImage | undefined {
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
