/** The programs that Photon starts, found once at startup in folders that no repository or run can write to. */

import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { attempt, succeeds } from '../base/system-errors.ts';
import type { Environment } from './environment.ts';

/** Every program that Photon itself starts, on the host or around a command. */
export const programNames = [
  'git',
  'bwrap',
  'sandbox-exec',
  'unshare',
  'flock',
  'setpriv',
  'sh',
  'cp',
  'mknod',
  'mount',
  'umount',
  'pivot_root',
  'mkdir',
  'sed',
  'ps',
  'ip',
  'ifconfig',
  'perl',
  'sudo',
  'sysctl',
] as const;

type ProgramName = (typeof programNames)[number];

/** Absolute paths as plain data; code that starts a program gets its path from here. */
export interface Programs {
  /** The folders of the PATH that were searched, links resolved; the PATH for what these programs start. */
  readonly searchPath: string;
  /** A program that is missing has no entry. */
  readonly paths: Readonly<Partial<Record<ProgramName, string>>>;
}

/** Folders to search after those of the PATH. */
const administration = ['/usr/sbin', '/sbin'];

/**
 * Looks for Photon's programs on a PATH. It skips an entry that is relative or empty, that lies in or leads
 * into one of the folders `outside`, or that is world-writable. It also skips a program that is a link into one of
 * those folders.
 */
export function findPrograms(searchPath: string, outside: readonly string[]): Programs {
  const forbidden = outside.flatMap(folder => [folder, realOr(folder)]).filter(f => f !== '');
  const isInside = (path: string) => forbidden.some(f => path === f || path.startsWith(`${f}/`));
  const folders = [...searchPath.split(delimiter), ...administration]
    .filter(entry => isAbsolute(entry) && !isInside(entry))
    .map(realOr)
    .filter(folder => folder !== '' && !isInside(folder) && !isWorldWritable(folder));
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
 * The top of the checkout that contains a folder: the nearest folder upwards that contains `.git`, or the
 * folder itself without one. It runs no program, because it is needed to find them.
 */
export function findTop(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The paths of all these programs; undefined when any is missing. */
export function pickPrograms<const T extends ProgramName>(
  { paths }: Programs,
  names: readonly T[],
): Readonly<Record<T, string>> | undefined {
  if (names.some(name => paths[name] === undefined)) return undefined;
  return Object.fromEntries(names.map(name => [name, paths[name]])) as Record<T, string>;
}

/** What is installed where commands run. */
export interface InstalledSoftware {
  /** True for a program on the PATH of commands. */
  readonly hasProgram: (name: string) => boolean;
  /** True for a path of the checkout, tracked or not, or below `~` or `$VARIABLE`. */
  readonly exists: (path: string) => boolean;
}

/** Looks at the machine of a checkout. It starts nothing. */
export function openInstalled(
  { PATH = '', ...env }: Environment,
  checkout: string,
): InstalledSoftware {
  return {
    hasProgram: name => programFiles(PATH, name).some(isProgram),
    exists: path => {
      const [, name = 'HOME', rest = ''] = /^(?:~|\$(\w+))(.*)$/.exec(path) ?? [];
      if (/^[~$]/.test(path)) return Boolean(env[name]) && existsSync(`${env[name]}${rest}`);
      return existsSync(join(checkout, path));
    },
  };
}

/** Where a program of this name can lie, in the order of the search. */
export function programFiles(searchPath: string, name: string): readonly string[] {
  const folders = searchPath.split(delimiter).filter(folder => isAbsolute(folder));
  return folders.map(folder => join(folder, name));
}

function isProgram(path: string): boolean {
  return (
    succeeds(() => accessSync(path, constants.X_OK)) &&
    attempt(() => statSync(path).isFile()) === true
  );
}

function isWorldWritable(folder: string): boolean {
  return (statSync(folder).mode & 0o002) !== 0;
}

/** The path with its links resolved; empty when it does not exist. */
function realOr(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? '';
}
