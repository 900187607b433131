/** Commits and trees other than the checkout's own: what a commit is, and what differs between trees. */
import type { FileChange, FileState } from '../files/change.ts';
import type { Git, TreeEntry } from './git.ts';

/** A commit, by its full object ids. */
export interface PastCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Reads a commit by its full id; null when the repository does not have it. */
export async function readCommit({ read }: Git, id: string): Promise<PastCommit | null> {
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(id)) return null;
  const bytes = await read(`${id}^{commit}`);
  const [head = ''] = bytes?.toString('utf8').split('\n\n') ?? [];
  const named = (field: string) =>
    head.split('\n').flatMap(l => (l.startsWith(`${field} `) ? [l.slice(field.length + 1)] : []));
  const [tree] = named('tree');
  return tree === undefined ? null : { id, tree, parents: named('parent') };
}

/** What differs between two trees, with the content of both sides. */
export async function changesBetween(
  { entriesOf, read }: Git,
  trees: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[]> {
  const [from, to] = await Promise.all([entriesOf(trees.from), entriesOf(trees.to)]);
  const paths = [...new Set([...from.keys(), ...to.keys()])].filter(
    path => !isSame(from.get(path), to.get(path)),
  );
  const stateOf = async (entry: TreeEntry | undefined): Promise<FileState | null> => {
    if (entry === undefined) return null;
    // a submodule's commit lies in another repository
    const bytes = entry.mode === '160000' ? Buffer.from(entry.oid) : await read(entry.oid);
    return bytes === null ? null : { mode: entry.mode, bytes };
  };
  return Promise.all(
    paths.map(async path => ({
      path,
      before: await stateOf(from.get(path)),
      after: await stateOf(to.get(path)),
    })),
  );
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}
