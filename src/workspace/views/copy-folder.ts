/** Copies what a folder holds into another, without `.git`. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PhotonError } from '../../codes.ts';
import type { Programs } from '../../process/programs.ts';

const run = promisify(execFile);
const namesAtOnce = 200;

/**
 * Copies with times and modes; shares blocks if the file system can.
 * @throws PhotonError `DISK`.
 */
export async function copyFolder(
  { from, programs }: { readonly from: string; readonly programs: Programs },
  target: string,
): Promise<void> {
  const names = readdirSync(from).filter(n => n !== '.git');
  const env = { PATH: programs.searchPath, LC_ALL: 'C' };
  const flags = process.platform === 'linux' ? ['-a', '--reflink=auto'] : ['-a'];
  for (let i = 0; i < names.length; i += namesAtOnce) {
    const sources = names.slice(i, i + namesAtOnce).map(n => join(from, n));
    try {
      await run(programs.paths.cp ?? '/bin/cp', [...flags, '--', ...sources, target], {
        env,
        maxBuffer: 1024 * 1024,
      });
    } catch (cause) {
      const reason = String((cause as { stderr?: unknown }).stderr ?? cause).trim();
      const message = `The checkout cannot be copied: ${reason.slice(0, 400)}`;
      throw new PhotonError('DISK', message, { cause });
    }
  }
}
