/** A file that an earlier run left, read as foreign: regular, no link, and bounded. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The first `maxBytes` of a regular file as text; null when it is missing, a link (which could lead
 * to secrets of the host), or anything else.
 */
export function readArtifact(folder: string, path: string, maxBytes: number): string | null {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const descriptor = openSync(resolve(folder, path), flags);
    try {
      if (!fstatSync(descriptor).isFile()) return null;
      const bytes = Buffer.alloc(maxBytes);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, maxBytes, 0)).toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
