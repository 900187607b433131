/** Commits and trees other than the checkout's own: what a commit is, and what differs between trees. */
import type { FileChange, FileState } from '../files/change.ts';
import type { Git } from '../git/git.ts';
import type { TreeEntry } from '../git/git-objects.ts';

/** A commit, by its full object ids. */
export interface PastCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Seconds since 1970, as the commit states it. */
  readonly time: number;
  readonly message: string;
}

/** Reads a commit by its full id; undefined when the repository does not have it. */
export async function readCommit({ read }: Git, id: string): Promise<PastCommit | undefined> {
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(id)) return undefined;
  const bytes = await read(`${id}^{commit}`);
  const [head = '', ...rest] = bytes?.toString('utf8').split('\n\n') ?? [];
  const readField = (field: string) =>
    head.split('\n').flatMap(l => (l.startsWith(`${field} `) ? [l.slice(field.length + 1)] : []));
  const [tree] = readField('tree');
  if (tree === undefined) return undefined;
  const time = Number(/ (\d{1,12}) [+-]\d+$/.exec(readField('committer')[0] ?? '')?.[1] ?? 0);
  return { id, tree, parents: readField('parent'), time, message: rest.join('\n\n').trim() };
}

/** What differs between two trees, with the content of both sides. */
export async function changesBetween(
  { listTreeEntries, read }: Pick<Git, 'listTreeEntries' | 'read'>,
  trees: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[]> {
  const [from, to] = await Promise.all([listTreeEntries(trees.from), listTreeEntries(trees.to)]);
  const paths = [...new Set([...from.keys(), ...to.keys()])].filter(
    path => !isSame(from.get(path), to.get(path)),
  );
  const readState = async (entry: TreeEntry | undefined): Promise<FileState | undefined> => {
    if (entry === undefined) return undefined;
    // a submodule's commit lies in another repository
    const bytes = entry.mode === '160000' ? Buffer.from(entry.oid) : await read(entry.oid);
    return bytes === undefined ? undefined : { mode: entry.mode, bytes };
  };
  return Promise.all(
    paths.map(async path => ({
      path,
      before: await readState(from.get(path)),
      after: await readState(to.get(path)),
    })),
  );
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}
