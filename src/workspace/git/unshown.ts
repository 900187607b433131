/** Paths of the checkout that no view shows: credentials that earlier steps left, git folders of nested checkouts, withheld files. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isBelow, realPath, runsFolder, slashed } from '../files/locate.ts';

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

/**
 * Finds these paths. Those in `node_modules` are skipped, because they belong to packages.
 * @param own the folder of Photon, which can lie in the checkout.
 * @param withheld true for a path that nothing may see, tracked or not.
 * @param isTracked true for a path of the base; tracked files are not hidden.
 */
export function findUnshown(
  {
    checkout,
    own,
    withheld,
  }: {
    readonly checkout: string;
    readonly own: string;
    readonly withheld: (path: string) => boolean;
  },
  isTracked: (path: string) => boolean,
): readonly string[] {
  const real = realPath(own) ?? own;
  const inside = isBelow(real, checkout) ? [slashed(real.slice(checkout.length + 1))] : [];
  // files of earlier runs, unless they are part of the repository
  const runs = isTracked(`${runsFolder}/.gitignore`) ? [] : kept(checkout);
  const top = entriesOf(checkout).filter(e => isPrivate(e.name) && !isTracked(e.name));
  return [...inside, ...runs, ...top.map(e => e.name), ...hiddenBelow(checkout, withheld)];
}

function kept(checkout: string): readonly string[] {
  return isRealFolder(join(checkout, runsFolder)) ? [runsFolder] : [];
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** `.git` folders and files of nested checkouts, and what is withheld. */
function hiddenBelow(
  checkout: string,
  withheld: (path: string) => boolean,
  folder = '',
): readonly string[] {
  return entriesOf(join(checkout, folder)).flatMap(entry => {
    const path = posix.join(folder, entry.name);
    if (entry.name === '.git') return folder === '' ? [] : [path];
    if (withheld(path)) return [path];
    return entry.isDirectory() && entry.name !== 'node_modules'
      ? hiddenBelow(checkout, withheld, path)
      : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // unreadable, so commands cannot read it either
  }
}
