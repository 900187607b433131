/** Paths of the checkout that no view shows: credentials that earlier steps left, and git folders of nested checkouts. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow, realPath, runsFolder } from '../files/locate.ts';

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
 * Finds these paths. Git folders in `node_modules` are skipped, because they belong to packages.
 * @param own the folder of Photon, which can lie in the checkout.
 * @param isTracked true for a path of the base; tracked files are not hidden.
 */
export function findUnshown(
  { checkout, own }: { readonly checkout: string; readonly own: string },
  isTracked: (path: string) => boolean,
): readonly string[] {
  const real = realPath(own) ?? own;
  const inside = isBelow(real, checkout) ? [real.slice(checkout.length + 1)] : [];
  // files of earlier runs, unless they are part of the repository
  const runs = isTracked(`${runsFolder}/.gitignore`) ? [] : kept(checkout);
  const top = entriesOf(checkout).filter(e => isPrivate(e.name) && !isTracked(e.name));
  return [...inside, ...runs, ...top.map(e => e.name), ...gitFolders(checkout, '')];
}

function kept(checkout: string): readonly string[] {
  return isRealFolder(join(checkout, runsFolder)) ? [runsFolder] : [];
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** `.git` folders and files of nested checkouts. */
function gitFolders(checkout: string, folder: string): readonly string[] {
  return entriesOf(join(checkout, folder)).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.name === '.git') return folder === '' ? [] : [path];
    return entry.isDirectory() && entry.name !== 'node_modules' ? gitFolders(checkout, path) : [];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // unreadable, so commands cannot read it either
  }
}
