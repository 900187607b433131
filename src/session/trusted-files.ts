/** Files that decide (constitution, configuration, skills), read from git objects of one commit. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Files of a trusted commit; never those of the work tree (SPEC §2). */
export interface TrustedFiles {
  readonly ref: string;
  readonly commit: string;
  /** Content of a regular file; null when there is none, or it is a link. */
  read(path: string): Promise<Uint8Array | null>;
  /** Paths of the regular files below a folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** The trusted files of a commit that the checkout holds. */
export function openLocalFiles(
  git: Git,
  { ref, commit }: { ref: string; commit: string },
): TrustedFiles {
  let listed: ReturnType<Git['entriesOf']> | undefined;
  const entries = () => {
    listed ??= git.entriesOf(commit);
    return listed;
  };
  return {
    ref,
    commit,
    read: async path => {
      const bytes = await git.read(`${commit}:${path}`);
      if (bytes === null) return null;
      const entry = (await entries()).get(path);
      return entry?.mode.startsWith('100') ? bytes : null;
    },
    list: async folder => {
      const below = folder === '' ? '' : `${folder}/`;
      return [...(await entries())]
        .filter(([path, { mode }]) => path.startsWith(below) && mode.startsWith('100'))
        .map(([path]) => path);
    },
  };
}

/** Files of a folder as they lie on disk: for `photon validate` on a person's own work tree. */
export function openFolderFiles(root: string): TrustedFiles {
  const isFile = (path: string) =>
    lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  return {
    ref: '',
    commit: '',
    read: async path => (isFile(path) ? readFileSync(join(root, path)) : null),
    list: async folder => {
      if (!existsSync(join(root, folder))) return [];
      return walk(root, folder).filter(isFile);
    },
  };
}

/** Paths below a folder, without what is never a repository's own. */
function walk(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === '.git' || entry.name === 'node_modules') return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(root, path) : [path];
  });
}
