/** Places a tree as a repository of its own: one commit, and no object besides those of the tree. */
import { mkdirSync } from 'node:fs';
import { PhotonError } from '../../base/codes.ts';
import type { Programs } from '../../process/programs.ts';
import type { Git } from '../git/git.ts';
import { type GitRunner, runGit } from '../git/git-process.ts';
import { writeObject } from '../git/write-objects.ts';

export interface PlacedTree {
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
