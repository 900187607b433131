/** Creates the repository that views contain instead of the checkout's: one commit, no history, no credentials. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRunner } from './work-tree.ts';

export interface RepositorySource {
  readonly git: GitRunner;
  /** Where to create it; a folder of Photon. */
  readonly folder: string;
  readonly commit: string;
  readonly tree: string;
  readonly branch: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Writes an index of the tree with the sizes and times of the checkout's unchanged files. */
  readonly writeIndex: (path: string) => Promise<void>;
}

/** A repository that takes longer to pack is too large for tests; views then have none. */
const timeoutMs = 20_000;

/**
 * Creates it, so that commands such as `git log`, `git status` and `git ls-files` work in a view.
 * @returns its folder; null when it cannot be created, for example from a partial clone.
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
    // the files of a view have the times and sizes of the checkout, but other inodes
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

/** Commits the tree with the time of the base, because builds put this time into their output. */
async function writeCommit({ git, commit, tree }: RepositorySource): Promise<string> {
  const { stdout } = await git(['show', '-s', '--format=%ct', commit]);
  const by = `Photon <photon@localhost> ${stdout.toString('utf8').trim()} +0000`;
  const input = `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nThe base of this run\n`;
  const made = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
  return made.stdout.toString('utf8').trim();
}
