/** A foreign image checked by its first bytes: a PNG or JPEG within bounds, which is then sent as it is. Pure. */

/** Bounds of one image. Vendors refuse more than 8,000 pixels a side, and scale large images down. */
export const imageBounds = { bytes: 2_000_000, side: 8_000, pixels: 25_000_000 } as const;

/** An image that a model may see. */
export interface CheckedImage extends ImageSize {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

/** Size that the header of an image states. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The image with its type and size, or why no model may see it. GIF and WebP hold several pictures. */
export function checkImage(bytes: Uint8Array): CheckedImage | { readonly problem: string } {
  if (bytes.length > imageBounds.bytes)
    return { problem: `it is larger than ${imageBounds.bytes} bytes` };
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const png = findPngSize(data);
  const size = png ?? findJpegSize(data);
  if (size === undefined) return { problem: 'it is no PNG or JPEG' };
  const { width, height } = size;
  const isLarge = Math.max(width, height) > imageBounds.side || width * height > imageBounds.pixels;
  if (isLarge || width === 0 || height === 0)
    return { problem: `it has ${width}×${height} pixels` };
  return { mediaType: png === undefined ? 'image/jpeg' : 'image/png', bytes, width, height };
}

/** The signature, and the length and name of the chunk that every PNG begins with. */
const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

function findPngSize(data: Buffer): ImageSize | undefined {
  if (data.length < 33 || !data.subarray(0, 16).equals(pngStart)) return undefined;
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** True for the marker of a frame, which states the size: all from 0xc0 to 0xcf but for tables and extensions. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function findJpegSize(data: Buffer): ImageSize | undefined {
  if (data[0] !== 0xff || data[1] !== 0xd8) return undefined;
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff; ) {
    const marker = data.readUInt8(at + 1);
    if (isFrame(marker))
      return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    // fill bytes may stand before a marker
    at += marker === 0xff ? 1 : 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}
