/** Reads from git's attributes which files a checkout shows in another form than commits hold them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeEntry } from './list-tree.ts';
import type { GitRunner } from './work-tree.ts';

/**
 * What git does between a commit and a checkout with each of these files of a tree, existing or not: `filter=lfs`,
 * `working-tree-encoding=UTF-16`, `ident`. Paths that git only changes the line ends of, or nothing, are left out.
 */
export type ConversionsOf = (
  tree: string,
  paths: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface AttributeParts {
  readonly git: GitRunner;
  readonly entriesOf: (treeish: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** Content by object id; null when it does not exist. */
  readonly read: (name: string) => Promise<Buffer | null>;
  /** A folder of Photon. */
  readonly scratch: string;
  /** The checkout's own `info/attributes`; empty if there is none. */
  readonly own: string;
}

const converting = ['filter', 'working-tree-encoding', 'ident'] as const;
const mentions = /filter|working-tree-encoding|ident/;

/**
 * Opens the attributes as git itself reads them: `.gitattributes` of every folder of the tree and `info/attributes`, with
 * their macros. Those of the machine and of the user do not count. A tree whose attributes convert nothing starts no process.
 */
export function openAttributes({
  git,
  entriesOf,
  read,
  scratch,
  own,
}: AttributeParts): ConversionsOf {
  const indexes = new Map<string, Promise<string | null>>();
  const indexOf = async (tree: string, name: string): Promise<string | null> => {
    const files = [...(await entriesOf(tree))].filter(
      // git follows no link there
      ([path, { mode }]) => /(?:^|\/)\.gitattributes$/.test(path) && mode.startsWith('100'),
    );
    const texts = await Promise.all(files.map(([, { oid }]) => read(oid)));
    if (![own, ...texts].some(text => mentions.test(String(text ?? '')))) return null;
    const index = join(scratch, name);
    rmSync(index, { force: true });
    const input = files.map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join('');
    // an index of these files alone; without any, git reads none
    if (input !== '')
      await git(['update-index', '-z', '--index-info'], { env: { GIT_INDEX_FILE: index }, input });
    return index;
  };
  return async (tree, paths) => {
    if (paths.length === 0) return new Map();
    const opened = indexes.get(tree) ?? indexOf(tree, `attributes-${tree}.index`);
    indexes.set(tree, opened);
    const index = await opened;
    if (index === null) return new Map();
    const { stdout } = await git(['check-attr', '--cached', '-z', '--stdin', ...converting], {
      env: { GIT_INDEX_FILE: index },
      input: paths.map(path => `${path}\0`).join(''),
    });
    return parseAttributes(stdout.toString('utf8'));
  };
}

/** Path, attribute and value, each with a NUL at its end. */
function parseAttributes(listing: string): ReadonlyMap<string, string> {
  const fields = listing.split('\0');
  const found = new Map<string, string>();
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = '', name = '', value = ''] = fields.slice(i, i + 3);
    if (!converts(name, value)) continue;
    const text = value === 'set' ? name : `${name}=${value}`;
    found.set(path, [found.get(path), text].filter(each => each !== undefined).join(', '));
  }
  return found;
}

function converts(name: string, value: string): boolean {
  if (value === 'unspecified' || value === 'unset') return false;
  if (name === 'ident') return value === 'set';
  return name === 'filter' || !/^(?:set|utf-?8)$/i.test(value);
}
