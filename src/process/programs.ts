/** Photon's own programs: found once, at the start, where neither the repository nor a run can put one. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Every program that Photon starts by itself, on the host or around a command. */
export const programNames = [
  ...(['git', 'bwrap', 'unshare', 'setpriv', 'prlimit', 'sh', 'cat', 'cp', 'mknod'] as const),
  ...(['mount', 'umount', 'pivot_root', 'mkdir', 'rmdir', 'ln', 'sed'] as const),
  ...(['ip', 'ifconfig', 'perl', 'sudo', 'sysctl', 'apt-get'] as const),
] as const;

export type ProgramName = (typeof programNames)[number];

/** Absolute paths, as plain data: whoever starts a program has been handed its path. */
export interface Programs {
  /** The folders of the PATH that were searched, links resolved; for what a program starts by itself. */
  readonly searchPath: string;
  /** A program that is missing has no entry. */
  readonly paths: Readonly<Partial<Record<ProgramName, string>>>;
}

/** Where administration programs are, which the PATH of a user may lack. */
const administration = ['/usr/sbin', '/sbin'];

/**
 * Looks for Photon's programs on a PATH. An entry is left out when it is relative or empty, when it or
 * what it leads to lies in one of the folders `outside`, and when everybody may write to it; so is a
 * program that is a link into one of them.
 */
export function findPrograms(searchPath: string, outside: readonly string[]): Programs {
  const forbidden = outside.flatMap(folder => [folder, realOr(folder)]).filter(f => f !== '');
  const isInside = (path: string) => forbidden.some(f => path === f || path.startsWith(`${f}/`));
  const folders = [...searchPath.split(delimiter), ...administration]
    .filter(entry => entry.startsWith('/') && !isInside(entry))
    .map(realOr)
    .filter(folder => folder !== '' && !isInside(folder) && !isOpenToAll(folder));
  const searched = [...new Set(folders)];
  const find = (name: string) =>
    searched.map(f => join(f, name)).find(path => isProgram(path) && !isInside(realOr(path)));
  const found = programNames.flatMap(name => {
    const path = find(name);
    return path === undefined ? [] : [[name, path] as const];
  });
  return { searchPath: searched.join(delimiter), paths: Object.fromEntries(found) };
}

/**
 * The top of the checkout that holds a folder: the nearest one upwards with git's own folder or file
 * in it; the folder itself when there is none. It asks no program, so that it can be told before any is found.
 */
export function findTop(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The paths of all these programs; null when one is missing. */
export function pickPrograms<const T extends ProgramName>(
  { paths }: Programs,
  names: readonly T[],
): Readonly<Record<T, string>> | null {
  if (names.some(name => paths[name] === undefined)) return null;
  return Object.fromEntries(names.map(name => [name, paths[name]])) as Record<T, string>;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isOpenToAll(folder: string): boolean {
  return (statSync(folder).mode & 0o002) !== 0;
}

/** The path with its links resolved; empty when it leads nowhere. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
