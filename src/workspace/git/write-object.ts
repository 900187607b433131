/** Writes objects into a git directory of Photon, without a git process. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

export interface ObjectStore {
  readonly gitDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
}

/** Writes a loose object. Returns its id. */
export function writeObject(
  { gitDir, objectFormat }: ObjectStore,
  type: 'commit' | 'tag',
  text: string,
): string {
  const bytes = Buffer.from(`${type} ${Buffer.byteLength(text)}\0${text}`);
  const id = createHash(objectFormat).update(bytes).digest('hex');
  const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(bytes));
  return id;
}
