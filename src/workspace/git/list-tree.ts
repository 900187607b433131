/** Lists the files of a git tree. */
import type { FileMode } from '../files/change.ts';
import type { GitRunner } from './git-process.ts';

/** A file of a tree. */
export interface TreeEntry {
  readonly mode: FileMode;
  readonly oid: string;
}

/** The entries below a tree or the tree of a commit, in git's order. @throws PhotonError `GIT` when it is missing. */
export async function listTree(
  git: GitRunner,
  treeish: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', treeish]);
  const entries = new Map<string, TreeEntry>();
  for (const record of stdout.toString('utf8').split('\0')) {
    // mode, type, id, tab, path
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , oid = ''] = record.slice(0, tab).split(' ');
    entries.set(record.slice(tab + 1), { mode: mode as FileMode, oid });
  }
  return entries;
}
