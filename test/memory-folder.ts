/** Where the tests keep their folders: in memory if they can, because creating and removing small files is slow on a disk. */
import { existsSync, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';

/** What the folders of all workers need at once, with room to spare. */
const leastBytes = 2 * 2 ** 30;

/** Variables that put temporary folders into memory; none where the machine has no such file system, or a small one. */
export function inMemory(): Readonly<Record<string, string>> {
  if (!existsSync('/proc/mounts') || !existsSync(folder)) return {};
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map(line => line.split(' ')).findLast(([, at]) => at === folder)?.[3];
  const { bavail, bsize } = statfsSync(folder);
  // containers often mount it with 64 MB, and so that no program can be started from it
  const isFit =
    options?.split(',').every(o => o !== 'noexec' && o !== 'ro') && bavail * bsize >= leastBytes;
  return isFit ? { TMPDIR: folder } : {};
}
