/** A file that a test left in a view, read as hostile: regular, inside, and bounded. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 10_000_000;

/** Text of a regular file below `root`, at most 10 MB; null when it is missing or leads out. */
export function readBounded(root: string, path: string): string | 'too-large' | null {
  try {
    const target = realpathSync(join(root, path));
    if (!target.startsWith(`${realpathSync(root)}/`)) return null;
    const descriptor = openSync(
      target,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { size } = fstatSync(descriptor);
      if (!fstatSync(descriptor).isFile()) return null;
      if (size > maxBytes) return 'too-large';
      const bytes = Buffer.alloc(size);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, size, 0)).toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null; // no such report; the exit status still counts
  }
}
