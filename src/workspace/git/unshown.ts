/** Paths of the checkout that no view shows: credentials that earlier steps left, git folders of nested checkouts, withheld files. */
import { isAbsolute, join, posix, relative } from 'node:path';
import {
  isBelow,
  isRealFolder,
  listAncestors,
  readEntries,
  realPath,
  runsFolder,
  slashed,
} from '../files/locate.ts';

/** Untracked files and folders at the top that hold credentials. */
const privateNames = new Set([
  '.git-credentials',
  '.netrc',
  '.ssh',
  '.aws',
  '.gnupg',
  '.credentials',
  '.credentials_rsaparams',
  '_diag',
]);

const isPrivate = (name: string) => privateNames.has(name) || /^gha-creds-.*\.json$/.test(name);

/** What is hidden besides credentials at the top and git folders. */
export interface Hiding {
  readonly checkout: string;
  /** The folder of Photon, which can lie in the checkout. */
  readonly own: string;
  /** True for a path that nothing may see, tracked or not. */
  readonly withheld: (path: string) => boolean;
  /** Untracked files that look like credentials. */
  readonly credentials: readonly string[];
  /** Files and folders whose credentials are shown all the same. */
  readonly shown: readonly string[];
}

/**
 * Finds these paths, none of them below another. What packages hold in `node_modules` is not searched.
 * @param isTracked true for a path of the base; tracked files are not hidden.
 */
export function findUnshown(
  { checkout, own, withheld, credentials, shown }: Hiding,
  isTracked: (path: string) => boolean,
): readonly string[] {
  const real = realPath(own) ?? own;
  const inside = isBelow(real, checkout) ? [slashed(real.slice(checkout.length + 1))] : [];
  // files of earlier runs, unless they are part of the repository
  const runs = isTracked(`${runsFolder}/.gitignore`) ? [] : kept(checkout);
  const top = readEntries(checkout)
    .map(entry => entry.name)
    .filter(name => isPrivate(name) && !isTracked(name))
    .filter(name => !isNamed(name, shown) && !shown.some(path => isNamed(path, [name])));
  const secret = credentials.filter(path => !isNamed(path, shown));
  const all = new Set([...inside, ...runs, ...top, ...secret, ...hiddenBelow(checkout, withheld)]);
  return [...all].filter(path => !listAncestors(`/${path}`).some(above => all.has(above.slice(1))));
}

/** The paths of the checkout among paths of the machine, and those that are relative to its top. */
export function namesInside(checkout: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap(path => {
    if (!isAbsolute(path)) return [posix.normalize(path).replace(/\/$/, '')];
    // a folder may be named by the way that leads to it
    const found = [path, realPath(path) ?? path].find(each => isBelow(each, checkout));
    return found === undefined ? [] : [slashed(relative(checkout, found))];
  });
}

/** True for a path that a list names itself or by a folder above it. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some(name => path === name || path.startsWith(`${name}/`));
}

function kept(checkout: string): readonly string[] {
  return isRealFolder(join(checkout, runsFolder)) ? [runsFolder] : [];
}

/** `.git` folders and files of nested checkouts, and what is withheld. */
function hiddenBelow(
  checkout: string,
  withheld: (path: string) => boolean,
  folder = '',
): readonly string[] {
  return readEntries(join(checkout, folder)).flatMap(entry => {
    const path = posix.join(folder, entry.name);
    if (entry.name === '.git') return folder === '' ? [] : [path];
    if (withheld(path)) return [path];
    return entry.isDirectory() && entry.name !== 'node_modules'
      ? hiddenBelow(checkout, withheld, path)
      : [];
  });
}
