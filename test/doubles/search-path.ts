/** A PATH of this machine that lacks some programs. */
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Links every other program of the PATH into a folder; made once, below `folder`. */
export function pathWithout(folder: string, ...missing: readonly string[]): string {
  const bin = join(folder, `without-${missing.join('-')}`);
  // inside, links into a covered folder lead nowhere, but a folder of the PATH is shown
  const path = [dirname(realpathSync(process.execPath)), bin].join(delimiter);
  if (existsSync(bin)) return path;
  mkdirSync(bin);
  // a link into the home directory leads nowhere inside, such as that of a version manager to its shim
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(p => existsSync(p) && !p.startsWith(`${homedir()}/`));
  const made = new Set(missing);
  for (const from of folders)
    for (const program of readdirSync(from)) {
      if (made.has(program)) continue;
      made.add(program);
      symlinkSync(realpathOr(join(from, program)), join(bin, program));
    }
  return path;
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a link that leads nowhere
  }
}
