/** NAVIGATION_MISSING: a read or patch of a file that no navigation returned (§3.2). */
import { folderOf, normalisePath } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

export const navigationMissing: Rule = {
  code: 'NAVIGATION_MISSING',
  section: '§3.2',
  judge: c => {
    for (const claim of c.call.claims) {
      if (claim.kind !== 'read' && claim.kind !== 'write') continue;
      const path = normalisePath(claim.path);
      if (path === undefined || !isNavigatedTo(path, c))
        return `no listing, search or lookup in this run returned ${claim.path}`;
    }
    return undefined;
  },
};

/** A new file counts as found when its nearest existing folder was listed or searched. */
function isNavigatedTo(path: string, c: Case): boolean {
  const { navigatedFiles, navigatedFolders } = c.evidence;
  if (navigatedFiles.has(path)) return true;
  if (c.facts.get(path)?.kind !== 'missing') return false;
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (navigatedFolders.has(folder)) return true;
    if (folder === '') return false;
  }
}
