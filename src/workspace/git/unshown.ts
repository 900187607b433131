/** What of the checkout no view shows: credentials that steps left in it, and git folders of checkouts in it. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow, realPath } from '../files/locate.ts';

/** Untracked files and folders of the top that hold credentials. */
const privateNames =
  /^(?:gha-creds-.*\.json|\.git-credentials|\.netrc|\.ssh|\.aws|\.gnupg|\.credentials|\.credentials_rsaparams|_diag)$/;

/**
 * Finds them; what is in `node_modules` is a package, and no checkout.
 * @param own Photon's own folder, which may lie in the checkout.
 * @param isTracked what the base holds is shown all the same, since the base does not hide it.
 */
export function findUnshown(
  { checkout, own }: { readonly checkout: string; readonly own: string },
  isTracked: (path: string) => boolean,
): readonly string[] {
  const real = realPath(own) ?? own;
  const inside = isBelow(real, checkout) ? [real.slice(checkout.length + 1)] : [];
  const top = entriesOf(checkout).filter(e => privateNames.test(e.name) && !isTracked(e.name));
  return [...inside, ...top.map(e => e.name), ...gitFolders(checkout, '')];
}

/** `.git` of checkouts below the top, be it a folder or a file. */
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
    return []; // not to be read, by commands neither
  }
}
