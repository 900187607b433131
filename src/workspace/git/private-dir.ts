/** Git directories of Photon: one that borrows the objects of a repository, and one that views contain, with one commit and no history. No configuration and no credential gets into either. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from '../../process/programs.ts';
import { writeObject } from './git-objects.ts';
import { type GitRunner, runGit } from './git-process.ts';

/** The configuration of a git directory of Photon; `kept` are further lines of its section `core`. */
function formatConfig(
  { objectFormat }: { readonly objectFormat: string },
  kept: readonly string[] = [],
): string {
  const isSha256 = objectFormat === 'sha256';
  const core = [`repositoryformatversion = ${isSha256 ? 1 : 0}`, 'bare = false', ...kept];
  const extension = isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  return `[core]\n${core.map(line => `\t${line}\n`).join('')}${extension}`;
}

/** Creates a repository that borrows the objects of the checkout and none of its configuration. */
export function makePrivateDir(
  gitDir: string,
  found: {
    readonly commonDir: string;
    readonly objectFormat: string;
    /** The checkout's own `info/attributes`; may be empty. */
    readonly attributes: string;
  },
): void {
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(gitDir, 'refs'), { recursive: true });
  writeFileSync(join(gitDir, 'config'), formatConfig(found, ['quotePath = false']));
  if (found.attributes !== '') {
    mkdirSync(join(gitDir, 'info'), { recursive: true });
    writeFileSync(join(gitDir, 'info', 'attributes'), found.attributes);
  }
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/photon\n');
  writeFileSync(
    join(gitDir, 'objects', 'info', 'alternates'),
    `${join(found.commonDir, 'objects')}\n`,
  );
}

interface RepositorySource {
  readonly git: GitRunner;
  /** Content of an object; undefined when it does not exist. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  /** Where to create it; a folder of Photon. */
  readonly folder: string;
  readonly commit: string;
  readonly tree: string;
  readonly branch: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** The tags that name the base, such as `refs/tags/v1.2.0`. */
  readonly tags: () => Promise<readonly BaseTag[]>;
  /** Writes an index of the tree with the sizes and times of the checkout's unchanged files. */
  readonly writeIndex: (path: string) => Promise<void>;
}

interface BaseTag {
  readonly ref: string;
  /** Only these count for a plain `git describe`. */
  readonly isAnnotated: boolean;
}

/** The tags that name the commit, without those of unusual names; at most 20. */
export async function listTags(
  { commonDir, commit }: { readonly commonDir: string; readonly commit: string },
  programs: Programs,
): Promise<readonly BaseTag[]> {
  const args = ['--git-dir', commonDir, 'for-each-ref', '--count=20', `--points-at=${commit}`];
  const { stdout } = await runGit({
    args: [...args, '--format=%(objecttype) %(refname)', 'refs/tags'],
    cwd: commonDir,
    programs,
  });
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap(line => {
      const [, type, ref] = /^(\w+) (refs\/tags\/[\w.+/-]+)$/.exec(line) ?? [];
      return ref === undefined ? [] : [{ ref, isAnnotated: type === 'tag' }];
    });
}

/** A repository that takes longer to pack is too large for tests; views then have none. */
const timeoutMs = 20_000;

/**
 * Creates it, so that commands such as `git log`, `git status` and `git ls-files` work in a view.
 * @returns its folder; undefined when it cannot be created, because a clone lacks files of the base.
 */
export async function makeRepository(source: RepositorySource): Promise<string | undefined> {
  const { git, folder, branch } = source;
  const ref = `refs/heads/${branch || 'main'}`;
  try {
    for (const name of ['objects/info', 'objects/pack', 'info', `${ref}/..`])
      mkdirSync(join(folder, name), { recursive: true });
    const by = await buildSignature(source);
    const id = await writeCommit(source, by);
    const tags = await writeTags(source, { id, by });
    const pack = join(folder, 'objects', 'pack', 'pack');
    await git(['pack-objects', '-q', '--revs', '--window=0', pack], {
      input: [id, ...tags.map(tag => tag.id)].map(each => `${each}\n`).join(''),
      timeoutMs,
    });
    await source.writeIndex(join(folder, 'index'));
    // the files of a view have the times and sizes of the checkout, but other inodes
    const kept = ['checkStat = minimal', 'untrackedCache = false'];
    writeFileSync(join(folder, 'config'), formatConfig(source, kept));
    writeFileSync(join(folder, ref), `${id}\n`);
    // in one file, so that no name becomes a path
    const refs = tags.map(tag => `${tag.id} ${tag.ref}\n`);
    if (refs.length > 0) writeFileSync(join(folder, 'packed-refs'), refs.join(''));
    writeFileSync(join(folder, 'HEAD'), branch === '' ? `${id}\n` : `ref: ${ref}\n`);
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/**
 * Photon at the time of the base, because builds put this time into their output.
 * @throws Error when the commit is missing.
 */
async function buildSignature({ read, commit }: RepositorySource): Promise<string> {
  const text = await read(commit);
  if (text === undefined) throw new Error(`The commit ${commit} is missing.`);
  const [, time = '0'] = /^committer .* (\d+) [+-]\d+$/m.exec(text.toString('utf8')) ?? [];
  return `Photon <photon@localhost> ${time} +0000`;
}

function writeCommit({ git, tree }: RepositorySource, by: string): Promise<string> {
  const text = `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nThe base of this run\n`;
  return writeObject(git, 'commit', text);
}

/** The tags of the base as tags of the new commit, without their messages. */
async function writeTags(
  source: RepositorySource,
  { id, by }: { readonly id: string; readonly by: string },
): Promise<readonly { readonly id: string; readonly ref: string }[]> {
  const written = (await source.tags()).map(async ({ ref, isAnnotated }) => {
    if (!isAnnotated) return { id, ref };
    const name = ref.slice('refs/tags/'.length);
    const text = `object ${id}\ntype commit\ntag ${name}\ntagger ${by}\n\nA tag of the base\n`;
    return { id: await writeObject(source.git, 'tag', text), ref };
  });
  return Promise.all(written);
}
