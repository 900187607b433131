/** Reads what commands wrote to files of a view, in the form that git would commit. */
import { mkdirSync, rmSync } from 'node:fs';
import type { FileMode, FileState } from '../files/change.ts';
import { type GitRunner, splitRecords } from './git-process.ts';

/** The folder of a view, as git sees it. */
export interface ViewFolder {
  readonly folder: string;
  /** Path of the index of the view; created when it does not exist. */
  readonly index: string;
  /** Arguments in front of git, for a folder whose files only programs started that way can see. */
  readonly enter: readonly string[];
}

/**
 * The files of a view at these paths. A path at which the view has no file is not in the answer.
 * @throws PhotonError `GIT` when git cannot read one of them, such as a folder in the place of a file.
 */
export async function readViewFiles(
  git: GitRunner,
  { folder, index: viewIndex, enter }: ViewFolder,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileState>> {
  const index = `${viewIndex}-written`;
  // in the private directory, git would renew the times of objects that the checkout has
  const objects = `${index}-objects`;
  const env = { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects };
  mkdirSync(objects);
  try {
    const input = paths.map(path => `${path}\0`).join('');
    const add = ['update-index', '-z', '--add', '--remove', '--stdin'];
    await git(['--work-tree', folder, ...add], { env, cwd: folder, enter, input });
    const { stdout: listed } = await git(['ls-files', '--stage', '-z'], { env });
    const files = splitRecords(listed).flatMap(record => {
      const [, mode, oid, path] = /^(\d+) ([0-9a-f]+) 0\t(.+)$/s.exec(record) ?? [];
      return mode && oid && path ? [{ path, mode: mode as FileMode, oid }] : [];
    });
    const ids = files.map(({ oid }) => `${oid}\n`).join('');
    const { stdout } = await git(['cat-file', '--batch'], { env, input: ids });
    let at = 0;
    return new Map(
      files.map(({ path, mode }) => {
        const start = stdout.indexOf(10, at) + 1;
        const size = Number(stdout.toString('utf8', at, start).split(' ')[2]);
        at = start + size + 1;
        return [path, { mode, bytes: stdout.subarray(start, start + size) }];
      }),
    );
  } finally {
    rmSync(index, { force: true });
    rmSync(objects, { recursive: true, force: true });
  }
}

/** Which of these untracked paths of a view git does not ignore. */
export async function findUnignored(
  git: GitRunner,
  { folder, index, enter }: ViewFolder,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const list = ['ls-files', '--others', '--exclude-standard', '-z', '--'];
  const { stdout } = await git(['--literal-pathspecs', '--work-tree', folder, ...list, ...paths], {
    env: { GIT_INDEX_FILE: index },
    cwd: folder,
    enter,
  });
  return splitRecords(stdout);
}
