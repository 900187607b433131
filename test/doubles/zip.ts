/** Makes zip archives as the archiver of upload-artifact does: sizes and checksums follow the data. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly path: string;
  readonly content: Buffer | string;
  /** What the list of files says of it, if that is not true. */
  readonly stated?: { readonly size?: number; readonly path?: string; readonly flags?: number };
  readonly stored?: boolean;
}

/** An archive of these files. */
export function makeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { path, content, stated = {}, stored = false } of files) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const method = stored ? 0 : 8;
    const name = Buffer.from(path);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 6); // the sizes follow the data
    header.writeUInt16LE(method, 8);
    header.writeUInt16LE(name.length, 26);
    const after = Buffer.alloc(16);
    after.writeUInt32LE(0x08074b50, 0);
    after.writeUInt32LE(crc32(bytes), 4);
    after.writeUInt32LE(packed.length, 8);
    after.writeUInt32LE(bytes.length, 12);
    const shown = Buffer.from(stated.path ?? path);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(stated.flags ?? 8, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(stated.size ?? bytes.length, 24);
    entry.writeUInt16LE(shown.length, 28);
    entry.writeUInt32LE(at, 42);
    list.push(entry, shown);
    const own = [header, name, packed, after];
    parts.push(...own);
    at += own.reduce((sum, b) => sum + b.length, 0);
  }
  const end = Buffer.alloc(22);
  const central = Buffer.concat(list);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}
