/** The `outcome.json` files below a folder of downloaded artifacts. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const maxFiles = 512;
const maxBytes = 2_000_000;

/** Texts of the regular files of that name, at most 512 of 2 MB each; none when there is no folder. */
export function readOutcomeFiles(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .filter(name => /(^|[\\/])outcome\.json$/.test(name))
    .sort()
    .slice(0, maxFiles)
    .map(name => join(folder, name))
    .filter(path => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size <= maxBytes;
    })
    .map(path => readFileSync(path, 'utf8'));
}
