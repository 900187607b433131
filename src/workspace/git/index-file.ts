/** Reads git's index, so that simple questions about it start no process. Git answers the others. */
import { createHash } from 'node:crypto';

interface IndexEntry {
  readonly mode: string;
  readonly oid: string;
}

export interface IndexFile {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Files that git is told to ignore, and those of an unfinished merge. */
  readonly flagged: readonly string[];
  /** The same index without its extensions, which are caches. */
  readonly plain: () => Buffer;
}

/** Bytes of the times, the device, the inode, the mode, the owner and the size of an entry. */
const statBytes = 40;
const modeAt = 24;
const headerBytes = 12;

const nameMask = 0xfff;
const stageMask = 0x3000;
const isExtended = 0x4000;
const isAssumedUnchanged = 0x8000;

/**
 * Parses an index of version 2.
 * @param oidBytes 20 or 32, as the repository has it.
 * @returns null for another version, for one that keeps entries elsewhere, and for one that is not in order.
 */
export function parseIndex(bytes: Buffer, oidBytes: number): IndexFile | null {
  if (bytes.length < headerBytes + oidBytes || bytes.toString('latin1', 0, 4) !== 'DIRC')
    return null;
  if (bytes.readUInt32BE(4) !== 2) return null;
  const entries = new Map<string, IndexEntry>();
  const flagged: string[] = [];
  const end = bytes.length - oidBytes;
  const nameOffset = statBytes + oidBytes + 2;
  let at = headerBytes;
  let previous = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + nameOffset >= end) return null;
    const flags = bytes.readUInt16BE(at + nameOffset - 2);
    const nameEnd = bytes.indexOf(0, at + nameOffset);
    const length = nameEnd - at - nameOffset;
    if (nameEnd < 0 || (flags & nameMask) !== Math.min(length, nameMask)) return null;
    if ((flags & isExtended) !== 0) return null;
    const key = bytes.toString('latin1', at + nameOffset, nameEnd);
    // a path that is there twice belongs to an unfinished merge
    if (key < previous || (key === previous && (flags & stageMask) === 0)) return null;
    previous = key;
    const path = bytes.toString('utf8', at + nameOffset, nameEnd);
    if ((flags & (stageMask | isAssumedUnchanged)) !== 0) flagged.push(path);
    const mode = bytes
      .readUInt32BE(at + modeAt)
      .toString(8)
      .padStart(6, '0');
    entries.set(path, {
      mode,
      oid: bytes.toString('hex', at + statBytes, at + statBytes + oidBytes),
    });
    at += (nameOffset + length + 8) & ~7;
  }
  const endOfEntries = at;
  for (; at < end; at += 8 + bytes.readUInt32BE(at + 4))
    // a small letter: the extension changes what the entries mean
    if (at + 8 > end || !/^[A-Z]/.test(bytes.toString('latin1', at, at + 4))) return null;
  if (at !== end) return null;
  return { entries, flagged, plain: () => withChecksum(bytes.subarray(0, endOfEntries), oidBytes) };
}

function withChecksum(content: Buffer, oidBytes: number): Buffer {
  const sum = createHash(oidBytes === 20 ? 'sha1' : 'sha256')
    .update(content)
    .digest();
  return Buffer.concat([content, sum]);
}
