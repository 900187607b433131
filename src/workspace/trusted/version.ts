/** Reads the version of Photon, alone, so that `--version` loads nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that package.json in the root of the action or the clone states. */
export function readVersion(root: string): string {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return String((JSON.parse(text) as { version: unknown }).version);
}
