/** A file that a person names: read when it is a regular one, and bounded; a pipe or a device may have no end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { PhotonError } from '../../codes.ts';

const maxBytes = 256 * 1024 * 1024;

/**
 * Text of the file, or null when there is none. A link to a file counts as the file.
 * @throws PhotonError `FILE_UNREADABLE` for a folder, pipe, socket or device, for what is larger than
 * 256 MB, and for what may not be read.
 */
export function readNamedFile(path: string): string | null {
  return withNamedFile(path, descriptor => readFileSync(descriptor, 'utf8'));
}

/**
 * Opens nothing but a regular file. Throws PhotonError `FILE_UNREADABLE`.
 * @returns what `work` makes of it; null when there is none.
 */
export function withNamedFile<T>(path: string, work: (descriptor: number) => T): T | null {
  let descriptor: number | null = null;
  try {
    // opening a pipe would wait for somebody to write to it
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw unreadable(path, 'it is no regular file');
    if (found.size > maxBytes) throw unreadable(path, 'it is larger than 256 MB');
    return work(descriptor);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof PhotonError) throw cause;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreadable(path, (cause as Error).message);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function unreadable(path: string, why: string): PhotonError {
  return new PhotonError('FILE_UNREADABLE', `${path} cannot be read: ${why}.`);
}
