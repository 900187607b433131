/** Commits and trees other than the checkout's own: what a commit is, what differs between trees, and a tree as a repository of its own. */
import { mkdirSync } from 'node:fs';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import type { FileChange, FileState } from '../files/change.ts';
import type { Git } from '../git/git.ts';
import { type TreeEntry, writeObject } from '../git/git-objects.ts';
import { type GitRunner, runGit } from '../git/git-process.ts';

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
  const named = (field: string) =>
    head.split('\n').flatMap(l => (l.startsWith(`${field} `) ? [l.slice(field.length + 1)] : []));
  const [tree] = named('tree');
  if (tree === undefined) return undefined;
  const time = Number(/ (\d{1,12}) [+-]\d+$/.exec(named('committer')[0] ?? '')?.[1] ?? 0);
  return { id, tree, parents: named('parent'), time, message: rest.join('\n\n').trim() };
}

/** Which commits are listed. */
export interface HistoryBounds {
  readonly maxCount: number;
  /** A date as git takes it; empty for all. */
  readonly since: string;
}

/** The ids of the commits that led to HEAD, newest first: of a merge, only the side that was merged into. */
export async function listHistory(
  { checkout, commit }: Git,
  programs: Programs,
  { maxCount, since }: HistoryBounds,
): Promise<readonly string[]> {
  const bounds = [`--max-count=${maxCount}`, since === '' ? undefined : `--since=${since}`].filter(
    item => item !== undefined,
  );
  const args = ['rev-list', '--first-parent', ...bounds, commit, '--'];
  const { stdout } = await runGit({ args, cwd: checkout, programs });
  return stdout.toString('utf8').split('\n').filter(Boolean);
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

interface PlacedTree {
  readonly tree: string;
  /** Where to create it; an empty folder, or none. */
  readonly folder: string;
  /** Seconds since 1970, for the commit. */
  readonly time: number;
}

/** A repository whose files take more packed bytes is too large. */
const maxBytes = 1024 * 1024 * 1024;

/**
 * Creates the repository and checks its files out. Commits and files of the source that the tree does not hold cannot be
 * read from it: it borrows no objects, and has no other commit, ref or reflog.
 * @throws PhotonError `GIT`, `DISK`.
 */
export async function placeTree(
  source: Git,
  programs: Programs,
  { tree, folder, time }: PlacedTree,
): Promise<void> {
  const by = `Photon <photon@localhost> ${time} +0000`;
  const text = `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nThe base of this task\n`;
  const from: GitRunner = (args, more) =>
    runGit({ cwd: source.gitDir, programs, args: ['--git-dir', source.gitDir, ...args], ...more });
  const id = await writeObject(from, 'commit', text);
  const pack = await from(['pack-objects', '-q', '--revs', '--window=0', '--stdout'], {
    input: `${id}\n`,
    timeoutMs: 300_000,
    maxBytes,
  });
  if (pack.truncated) throw new PhotonError('GIT', 'The files of the commit exceed 1 GB.');
  mkdirSync(folder, { recursive: true });
  const own = { cwd: folder, programs };
  const format = `--object-format=${source.objectFormat}`;
  await runGit({ ...own, args: ['init', '-q', '--template=', '-b', 'main', format] });
  await runGit({ ...own, args: ['index-pack', '--stdin'], input: pack.stdout });
  const noLog = ['-c', 'core.logAllRefUpdates=false'];
  await runGit({ ...own, args: [...noLog, 'update-ref', 'refs/heads/main', id] });
  await runGit({ ...own, args: ['read-tree', '-u', '--reset', 'HEAD'], timeoutMs: 300_000 });
}
