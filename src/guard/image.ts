/** A foreign image judged by its bytes: a bounded PNG or JPEG, without its metadata. Nothing is decoded. Pure. */

/** An image that a model may see. */
export interface CleanImage {
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** The file without text, profiles, other metadata and what follows its end. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Bounds of one image. Vendors refuse more than 8,000 pixels a side, and scale large images down. */
export const imageBounds = { bytes: 2_000_000, side: 8_000, pixels: 25_000_000 } as const;

/** The image without its metadata, or why it is none that a model may see. */
export function cleanImage(bytes: Uint8Array): CleanImage | { readonly problem: string } {
  if (bytes.length > imageBounds.bytes)
    return { problem: `it is larger than ${imageBounds.bytes} bytes` };
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = cleanPng(data) ?? cleanJpeg(data);
  if (found === null) return { problem: 'it is no whole PNG or JPEG' };
  const { width, height } = found;
  const isLarge = Math.max(width, height) > imageBounds.side || width * height > imageBounds.pixels;
  if (isLarge || width === 0 || height === 0)
    return { problem: `it has ${width}×${height} pixels` };
  return found;
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks that make the picture; every other one holds text, times, profiles or an animation. */
const pngChunks: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'IDAT',
  'IEND',
]);

function cleanPng(data: Buffer): CleanImage | null {
  if (!data.subarray(0, 8).equals(pngStart)) return null;
  const kept: Buffer[] = [pngStart];
  for (let at = 8; at + 12 <= data.length; ) {
    const length = data.readUInt32BE(at);
    const name = data.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > data.length || (at === 8 && (name !== 'IHDR' || length !== 13))) return null;
    if (pngChunks.has(name)) kept.push(data.subarray(at, end));
    if (name === 'IEND') {
      const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
      return { mediaType: 'image/png', bytes: Buffer.concat(kept), width, height };
    }
    at = end;
  }
  return null;
}

/** Starts of frames, which hold the size. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Tables, frames and scans make the picture; application data and comments do not. */
const isPicture = (marker: number) => isFrame(marker) || [0xc4, 0xda, 0xdb, 0xdd].includes(marker);

function cleanJpeg(data: Buffer): CleanImage | null {
  if (data[0] !== 0xff || data[1] !== 0xd8) return null;
  const kept: Buffer[] = [data.subarray(0, 2)];
  let size: { readonly width: number; readonly height: number } | null = null;
  for (let at = 2; at + 4 <= data.length; ) {
    if (data[at] !== 0xff) return null;
    const marker = data[at + 1] ?? 0;
    const end = at + 2 + data.readUInt16BE(at + 2);
    // fill bytes before a marker
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (end > data.length || end < at + 4) return null;
    if (isFrame(marker) && end >= at + 9)
      size = { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    const next = marker === 0xda ? endOfScan(data, end) : end;
    if (isPicture(marker) || isColourMark(data.subarray(at, end)))
      kept.push(data.subarray(at, next));
    at = next;
    if (data[at] === 0xff && data[at + 1] === 0xd9) {
      if (size === null || marker !== 0xda) return null;
      kept.push(data.subarray(at, at + 2));
      return { mediaType: 'image/jpeg', bytes: Buffer.concat(kept), ...size };
    }
  }
  return null;
}

/** Adobe's mark of the colour space, without which some pictures have wrong colours; it holds nothing else. */
function isColourMark(segment: Buffer): boolean {
  return (
    segment[1] === 0xee && segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe'
  );
}

/** Where the compressed data of a scan ends: at the next marker that is no restart. */
function endOfScan(data: Buffer, from: number): number {
  for (let at = data.indexOf(0xff, from); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return data.length;
}
