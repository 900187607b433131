/** Keeps the contents of git objects that were read, as far as they are small. */
import type { GitObjects } from './git-objects.ts';

/** Maximum bytes that are kept. */
const maxKept = 16 * 1024 * 1024;
/** Half of it, so that what a run changes and reads besides does not displace it. */
const maxAll = maxKept / 2;
const maxCount = 4_000;

/** Contents of objects by id or `commit:path`. */
export interface GitBlobs {
  /** Null when the object does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Reads all of these objects, so that they are kept; false when they are too large for that. */
  readAll(ids: readonly string[]): Promise<boolean>;
}

/** Opens the contents. Only what an id names is kept, since another name may stand for another object later. */
export function openBlobs(objects: GitObjects): GitBlobs {
  const kept = new Map<string, Buffer>();
  let bytesKept = 0;
  const keep = (id: string, bytes: Buffer) => {
    if (bytes.length > maxAll || kept.has(id)) return;
    kept.set(id, bytes);
    bytesKept += bytes.length;
    for (const [oldest, { length }] of kept) {
      if (bytesKept <= maxKept) break;
      kept.delete(oldest);
      bytesKept -= length;
    }
  };
  const read = async (name: string) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const bytes = await objects.read(name);
    if (bytes !== null && /^[0-9a-f]{40,64}$/.test(name)) keep(name, bytes);
    return bytes;
  };
  return {
    read,
    readAll: async ids => {
      if (ids.length > maxCount) return false;
      const sizes = await Promise.all(ids.map(id => objects.size(id)));
      if (sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) > maxAll) return false;
      await Promise.all(ids.map(read));
      return true;
    },
  };
}
