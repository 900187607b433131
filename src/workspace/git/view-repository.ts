/** The repository that a view holds in place of the checkout's: one commit, no history, no credential. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRunner } from './work-tree.ts';

export interface RepositorySource {
  readonly git: GitRunner;
  /** Path of Photon's own to make it at. */
  readonly folder: string;
  readonly commit: string;
  readonly tree: string;
  readonly branch: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Writes an index of the tree that knows the checkout's unchanged files. */
  readonly writeIndex: (path: string) => Promise<void>;
}

/** Longer than this, a repository is too large to be packed for tests: the views have none. */
const timeoutMs = 20_000;

/**
 * Makes it, so that `git log`, `git status`, `git ls-files` and the like answer in a view.
 * @returns its folder; null where it cannot be made, as of a partial clone.
 */
export async function makeRepository(source: RepositorySource): Promise<string | null> {
  const { git, folder, branch, objectFormat } = source;
  const ref = `refs/heads/${branch || 'main'}`;
  const sha256 = objectFormat === 'sha256';
  try {
    for (const name of ['objects/info', 'objects/pack', 'info', `${ref}/..`])
      mkdirSync(join(folder, name), { recursive: true });
    const id = await writeCommit(source);
    const pack = join(folder, 'objects', 'pack', 'pack');
    await git(['pack-objects', '-q', '--revs', '--window=0', pack], {
      input: `${id}\n`,
      timeoutMs,
    });
    await source.writeIndex(join(folder, 'index'));
    const extension = sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
    // a view has the checkout's times and sizes, but files of its own
    const config = `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = false\n\tcheckStat = minimal\n\tuntrackedCache = false\n${extension}`;
    writeFileSync(join(folder, 'config'), config);
    writeFileSync(join(folder, ref), `${id}\n`);
    writeFileSync(join(folder, 'HEAD'), branch === '' ? `${id}\n` : `ref: ${ref}\n`);
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

/** The tree as a commit of the base's time, which builds put into what they make. */
async function writeCommit({ git, commit, tree }: RepositorySource): Promise<string> {
  const { stdout } = await git(['show', '-s', '--format=%ct', commit]);
  const by = `Photon <photon@localhost> ${stdout.toString('utf8').trim()} +0000`;
  const input = `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nThe base of this run\n`;
  const made = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
  return made.stdout.toString('utf8').trim();
}
