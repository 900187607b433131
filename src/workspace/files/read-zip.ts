/** Reads files from a zip archive that somebody else made: in memory, within bounds, and only what is named. Pure. */
import { crc32, inflateRawSync } from 'node:zlib';
import { PhotonError } from '../../base/codes.ts';

interface ZipBounds {
  /** True for the paths that are read; the others are only looked at. */
  readonly wanted: (path: string) => boolean;
  readonly maxEntries: number;
  /** Bytes of all files that are read, unpacked. */
  readonly maxBytes: number;
}

interface ZipEntry {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly at: number;
}

/** Sizes of the records without their variable parts, and how each begins (APPNOTE.TXT, 4.3). */
const records = {
  end: { bytes: 22, begins: 0x06054b50 },
  central: { bytes: 46, begins: 0x02014b50 },
  local: { bytes: 30, begins: 0x04034b50 },
} as const;
const maxComment = 0xffff;

/**
 * The wanted files by path.
 * @throws PhotonError `ARTIFACT_INVALID` for a broken archive, one beyond the bounds, and one with a path that leaves
 * the folder.
 */
export function readZip(zip: Buffer, bounds: ZipBounds): ReadonlyMap<string, Buffer> {
  try {
    const found = new Map<string, Buffer>();
    let left = bounds.maxBytes;
    for (const entry of listEntries(zip, bounds.maxEntries)) {
      requireInside(entry.path);
      if (!bounds.wanted(entry.path)) continue;
      if (found.has(entry.path)) throw invalid(`it holds ${quotePath(entry.path)} twice`);
      if (entry.size > left) throw invalid('it unpacks to too many bytes');
      left -= entry.size;
      found.set(entry.path, unpack(zip, entry));
    }
    return found;
  } catch (error) {
    if (error instanceof PhotonError) throw error;
    throw invalid((error as Error).message); // an offset outside of the archive, or broken packed data
  }
}

function listEntries(zip: Buffer, maxEntries: number): readonly ZipEntry[] {
  const end = findEnd(zip);
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
  if (count === 0xffff || start === 0xffffffff) throw invalid('it is in the format for huge files');
  if (count > maxEntries) throw invalid(`it holds more than ${maxEntries} files`);
  const entries: ZipEntry[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    requireRecord(zip, at, 'central');
    if ((zip.readUInt16LE(at + 8) & 1) === 1) throw invalid('it is encrypted');
    const [name, extra, comment] = [28, 30, 32].map(n => zip.readUInt16LE(at + n));
    const from = at + records.central.bytes;
    entries.push({
      path: zip.toString('utf8', from, from + (name ?? 0)),
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packed: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      at: zip.readUInt32LE(at + 42),
    });
    at = from + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

/** The last record, whose comment ends with the archive. */
function findEnd(zip: Buffer): number {
  const { bytes, begins } = records.end;
  for (let at = zip.length - bytes; at >= Math.max(0, zip.length - bytes - maxComment); at--)
    if (zip.readUInt32LE(at) === begins && at + bytes + zip.readUInt16LE(at + 20) === zip.length)
      return at;
  throw invalid('it is no zip archive');
}

function requireRecord(zip: Buffer, at: number, kind: keyof typeof records): void {
  if (zip.readUInt32LE(at) !== records[kind].begins) throw invalid('its list of files is broken');
}

/** A path with `..`, from a root or of another system could leave the folder that a program unpacks it into. */
function requireInside(path: string): void {
  const leaves =
    path === '' || /^[/\\]|^[a-z]:|\\|\0/i.test(path) || path.split('/').includes('..');
  if (leaves) throw invalid(`the path ${quotePath(path)} leaves the folder`);
}

function unpack(zip: Buffer, { path, method, crc, packed, size, at }: ZipEntry): Buffer {
  requireRecord(zip, at, 'local');
  const from = at + records.local.bytes + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const data = zip.subarray(from, from + packed);
  if (data.length !== packed) throw invalid(`${quotePath(path)} is cut off`);
  if (method !== 0 && method !== 8) throw invalid(`${quotePath(path)} is packed in an unknown way`);
  // one byte more than stated is an error, however many there are
  const bytes = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size || crc32(bytes) !== crc)
    throw invalid(`${quotePath(path)} is not what the list of files says`);
  return bytes;
}

function quotePath(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}

/** The error for an artifact that cannot be used. */
export function invalid(why: string): PhotonError {
  return new PhotonError('ARTIFACT_INVALID', `The artifact cannot be used: ${why}.`);
}
