/** The past of a repository: which commits there are, and the base of one as a repository of its own. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../changes.ts';

/** The ids of the commits that led to HEAD, newest first: of a merge, only the side that was merged into. */
export function listHistory(repository: string, count: number, since: string): readonly string[] {
  const bounds = [`--max-count=${count}`, ...(since === '' ? [] : [`--since=${since}`])];
  const listed = git(
    repository,
    'rev-list',
    '--first-parent',
    '--min-parents=1',
    ...bounds,
    'HEAD',
  );
  return String(listed).split('\n').filter(Boolean);
}

/** Where the base of a commit is put, and its configuration, if not that of HEAD. */
export interface PlacedBase {
  readonly commit: string;
  readonly folder: string;
  readonly config: string | undefined;
}

/**
 * Makes a repository of the parent of a commit. It has one commit, with the configuration that the repository has now:
 * what is measured is Photon as it is set up now. The fix cannot be read from it.
 */
export function placeBase(repository: string, { commit, folder, config }: PlacedBase): void {
  const index = `${folder}.index`;
  const checkOut = (tree: string, ...paths: readonly string[]) => {
    const own = (...words: readonly string[]) =>
      execFileSync('git', ['-C', repository, ...words], {
        env: { ...process.env, GIT_INDEX_FILE: index },
        stdio: 'pipe',
      });
    own('read-tree', tree);
    const listed = String(own('ls-files', '-z', '--', ...paths))
      .split('\0')
      .filter(Boolean);
    for (let at = 0; at < listed.length; at += 500)
      own('checkout-index', '-f', `--prefix=${folder}/`, '--', ...listed.slice(at, at + 500));
    rmSync(index);
  };
  mkdirSync(folder, { recursive: true });
  checkOut(`${commit}^`);
  rmSync(join(folder, '.photon'), { recursive: true, force: true });
  checkOut('HEAD', '.photon');
  if (config !== undefined) {
    mkdirSync(join(folder, '.photon'), { recursive: true });
    writeFileSync(join(folder, '.photon', 'config.json'), config);
  }
  git(folder, 'init', '-q', '--template=', '-b', 'main');
  commitFiles(folder);
}

/** Commits all files of a placed repository, whatever its ignore rules say. @returns the commit. */
export function commitFiles(folder: string): string {
  const as = ['-c', 'user.name=Photon', '-c', 'user.email=photon@localhost'];
  git(folder, 'add', '-A', '-f');
  git(folder, ...as, 'commit', '-q', '--allow-empty', '--no-verify', '-m', 'The base of this task');
  return String(git(folder, 'rev-parse', 'HEAD')).trim();
}

/** The top folder of the checkout. */
export function findCheckout(folder: string): string {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  return String(git(folder, 'rev-parse', '--show-toplevel')).trim();
}
