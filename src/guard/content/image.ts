/** A foreign image judged by its bytes: a bounded PNG or JPEG, rebuilt from what draws it and nothing else. Pure. */
import type { CleanImage, ImageSize } from './clean-image.ts';
import { cleanJpeg } from './image-jpeg.ts';
import { cleanPng } from './image-png.ts';

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
