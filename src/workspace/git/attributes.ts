/** Reads from git's attributes which files a checkout shows in another form than commits hold them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../../base/once.ts';
import type { TreeEntry } from './git-objects.ts';
import type { GitRunner } from './git-process.ts';

/**
 * What git does between a commit and a checkout with each of these files of a tree, existing or not: `filter=lfs`,
 * `working-tree-encoding=UTF-16`, `ident`. Paths that git only changes the line ends of, or nothing, are left out.
 */
export type ListConversions = (
  tree: string,
  paths: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface AttributeParts {
  readonly git: GitRunner;
  readonly listTreeEntries: (treeish: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** Content by object id; undefined when it does not exist. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  /** A folder of Photon. */
  readonly scratch: string;
  /** The checkout's own `info/attributes`; may be empty. */
  readonly own: string;
}

/** What the attributes of a tree say; both start no process if its attributes say nothing of the kind. */
export interface TreeAttributes {
  readonly listConversions: ListConversions;
  /** Those of the paths that a checkout shows with CRLF for each LF of the commit. */
  readonly findCrlf: (tree: string, paths: readonly string[]) => Promise<ReadonlySet<string>>;
}

const converting = ['filter', 'working-tree-encoding', 'ident'];
const ofLineEnds = ['text', 'eol'];

/**
 * Opens the attributes as git itself reads them: `.gitattributes` of every folder of the tree and `info/attributes`, with
 * their macros. Those of the machine and of the user do not count.
 */
export function openAttributes(parts: AttributeParts): TreeAttributes {
  const conversions = openQuery(parts, {
    names: converting,
    mentions: /filter|working-tree-encoding|ident/,
  });
  const lineEnds = openQuery(parts, { names: ofLineEnds, mentions: /eol|crlf/ });
  return {
    listConversions: async (tree, paths) => {
      const all = [...(await conversions(tree, paths))];
      const named = all.map(([path, values]) => [path, describe(values)] as const);
      return new Map(named.filter(([, text]) => text !== ''));
    },
    findCrlf: async (tree, paths) => {
      const all = [...(await lineEnds(tree, paths))];
      const isCrlf = (values: Values) =>
        values.get('eol') === 'crlf' && values.get('text') !== 'unset';
      return new Set(all.flatMap(([path, values]) => (isCrlf(values) ? [path] : [])));
    },
  };
}

/** The values of attributes of one path, by their names. */
type Values = ReadonlyMap<string, string>;

interface Query {
  readonly names: readonly string[];
  /** Found in the text of attributes that can set one of these. */
  readonly mentions: RegExp;
}

/** Looks attributes up; each path of a tree once. */
function openQuery(parts: AttributeParts, { names, mentions }: Query) {
  const indexOf = memoize(tree => writeIndex(parts, tree, { names, mentions }));
  const known = new Map<string, Values>();
  return async (tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, Values>> => {
    const key = (path: string) => `${tree} ${path}`;
    const index = await indexOf(tree);
    if (index === undefined) return new Map();
    const unseen = paths.filter(path => !known.has(key(path)));
    if (unseen.length > 0) {
      const { stdout } = await parts.git(['check-attr', '--cached', '-z', '--stdin', ...names], {
        env: { GIT_INDEX_FILE: index },
        input: unseen.map(path => `${path}\0`).join(''),
      });
      for (const [path, values] of parseAttributes(stdout.toString('utf8')))
        known.set(key(path), values);
    }
    return new Map(paths.map(path => [path, known.get(key(path)) ?? new Map()]));
  };
}

/** Writes an index of the attribute files alone; undefined if none of them mentions what is unseen for. */
async function writeIndex(
  { git, listTreeEntries, read, scratch, own }: AttributeParts,
  tree: string,
  { names: [name = ''], mentions }: Query,
): Promise<string | undefined> {
  const files = [...(await listTreeEntries(tree))].filter(
    // git follows no link there
    ([path, { mode }]) => /(?:^|\/)\.gitattributes$/.test(path) && mode.startsWith('100'),
  );
  const texts = await Promise.all(files.map(([, { oid }]) => read(oid)));
  if (![own, ...texts].some(text => mentions.test(String(text ?? '')))) return undefined;
  const index = join(scratch, `${name}-${tree}.index`);
  rmSync(index, { force: true });
  const input = files.map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join('');
  // without an index, git takes it for an empty one
  if (input !== '')
    await git(['update-index', '-z', '--index-info'], { env: { GIT_INDEX_FILE: index }, input });
  return index;
}

/** Path, attribute and value, each with a NUL at its end. */
function parseAttributes(listing: string): ReadonlyMap<string, Values> {
  const fields = listing.split('\0');
  const found = new Map<string, Map<string, string>>();
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [path = '', name = '', value = ''] = fields.slice(i, i + 3);
    const values = found.get(path) ?? new Map<string, string>();
    found.set(path, values.set(name, value));
  }
  return found;
}

/** The attributes that convert a file, as they are written; empty if none does. */
function describe(values: Values): string {
  return [...values]
    .filter(([name, value]) => converts(name, value))
    .map(([name, value]) => (value === 'set' ? name : `${name}=${value}`))
    .join(', ');
}

function converts(name: string, value: string): boolean {
  if (value === 'unspecified' || value === 'unset') return false;
  if (name === 'ident') return value === 'set';
  return name === 'filter' || !/^(?:set|utf-?8)$/i.test(value);
}
