/** Reads the checkout as git objects, through a private git directory without the checkout's configuration and hooks. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { once } from '../../base/once.ts';
import type { Platform } from '../../process/platform.ts';
import { findTop, type Programs } from '../../process/programs.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import type { FileChange, FileMode } from '../files/change.ts';
import { applyDiff } from './apply-diff.ts';
import { openAttributes, type TreeAttributes } from './attributes.ts';
import { findLack } from './checkout-state.ts';
import { readConversions } from './conversions.ts';
import { openBlobs } from './git-blobs.ts';
import { openGrep } from './git-grep.ts';
import { GitObjects } from './git-objects.ts';
import { type GitPlace, type GitRunner, runGit } from './git-process.ts';
import type { GrepAnswer, GrepQuery } from './grep-query.ts';
import { listTree, type TreeEntry } from './list-tree.ts';
import { mergeText, type ThreeTexts } from './merge-text.ts';
import { findUnshown, isNamed, namesInside } from './unshown.ts';
import { findUntrackedCredentials, type UntrackedCredentials } from './untracked-credentials.ts';
import { type BaseTag, makeRepository } from './view-repository.ts';
import { openWordIndex } from './word-index.ts';
import { openWorkTree, type WorkTree } from './work-tree.ts';

/** An open checkout. Nothing here writes to it. */
export interface Git {
  /** Absolute path of the top of the work tree. */
  readonly checkout: string;
  readonly commit: string;
  /** The tree of the commit, without the paths that are withheld: what tools, commands and views see. */
  readonly tree: string;
  /** The tree of the commit. */
  readonly fullTree: string;
  /** True for a path that nothing sees. */
  readonly withholds: (path: string) => boolean;
  /** Short name of the checked-out branch; empty when HEAD is detached. */
  readonly branch: string;
  readonly gitDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** True when an earlier workflow step left a credential in the checkout's git configuration. */
  readonly holdsCredential: boolean;
  entriesOf(treeish: string): Promise<ReadonlyMap<string, TreeEntry>>;
  readonly conversionsOf: TreeAttributes['conversionsOf'];
  readonly crlfOf: TreeAttributes['crlfOf'];
  /** Content by object id or `commit:path`; null when it does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Reads all of these objects, so that they are kept in memory; false when they are too large for that. */
  readAll(ids: readonly string[]): Promise<boolean>;
  grep(query: GrepQuery): Promise<GrepAnswer>;
  /** Writes `tree` with these changes as a tree into the private directory. Returns its id. */
  writeTree(changes: readonly FileChange[]): Promise<string>;
  /** The same with `fullTree`. */
  writeFullTree(changes: readonly FileChange[]): Promise<string>;
  /** The tree that a unified diff makes of a tree; null when it does not apply there exactly. */
  applyDiff(to: { readonly tree: string; readonly diff: string }): Promise<string | null>;
  /** The same checkout on another base, whose trees are in the private directory. */
  rebased(base: { readonly commit: string; readonly tree: string }): Promise<Git>;
  /** The same checkout without the paths for which `withholds` is true. */
  without(withholds: (path: string) => boolean): Promise<Git>;
  /**
   * The same checkout, whose views show these untracked credentials: files, and folders with all that is in them.
   * A path is relative to the top of the checkout, or one of the machine.
   */
  showing(paths: readonly string[]): Git;
  /** Untracked files that look like credentials, which no view shows; searched once. */
  untrackedCredentials(): Promise<UntrackedCredentials>;
  /** Merges three texts; null when both sides changed the same lines, or one is binary. */
  mergeText(texts: ThreeTexts): Promise<Buffer | null>;
  /** Compares the files of the checkout, and of views of it, with trees. */
  readonly workTree: WorkTree;
  /** Paths of the checkout that no view shows: credentials, and git folders below the top. None lies below another. */
  unshown(): Promise<readonly string[]>;
  /** Folder of the repository that views contain instead of the checkout's; null when there is none. */
  viewRepository(): Promise<string | null>;
  close(): void;
}

export interface GitOptions {
  /** A folder of Photon for the private directory. */
  readonly scratch: string;
  readonly programs: Programs;
  /** The system; that of this machine by default. */
  readonly platform?: Pick<Platform, 'convertsFiles'>;
}

/**
 * Opens the checkout that contains `folder`, at its HEAD.
 * @throws PhotonError `CHECKOUT_MISSING` when it is no checkout or has no commit; `GIT`.
 */
export async function openGit(
  folder: string,
  { scratch, programs, platform = thisPlatform }: GitOptions,
): Promise<Git> {
  const place = { cwd: folder, programs };
  const conversions = platform.convertsFiles ? await readConversions(place) : '';
  const found = { ...(await inspect(place)), conversions };
  const gitDir = join(scratch, 'git');
  makePrivateDir(gitDir, found);
  const objects = new GitObjects({ cwd: gitDir, programs });
  const closing: { readonly close: () => void }[] = [objects];
  const git: GitRunner = (args, more = {}) =>
    runGit({ args: ['--git-dir', gitDir, ...args], cwd: gitDir, programs, ...more });
  const { read, readAll } = openBlobs(objects);
  const entriesOf = openListings(git, objects, found);
  const holdsCredential = findCredential(found.commonDir);
  const attributes = openAttributes({ git, entriesOf, read, scratch, own: found.attributes });
  const workTree = openWorkTree({
    git,
    read,
    conversionsOf: attributes.conversionsOf,
    scratch,
    checkout: found.checkout,
    checkoutIndex: found.checkoutIndex,
    tree: found.tree,
    entries: () => entriesOf(found.tree),
  });
  const hiding = openHiding({ git, found, scratch, entriesOf });
  /** The tree that is left without the withheld paths. */
  const withhold = async (base: Omit<GitBase, 'tree'>): Promise<GitBase> => {
    const gone = [...(await entriesOf(base.fullTree)).keys()].filter(base.withholds);
    const changes = gone.map(path => ({ path, before: null, after: null }));
    return { ...base, tree: await writeTree(git, base.fullTree, changes) };
  };
  const over = (base: GitBase): Git => {
    const place = { cwd: gitDir, programs };
    const words = openWordIndex({ place, tree: base.tree, entriesOf, read });
    closing.push(words);
    return { ...parts(base), grep: openGrep(git, words) };
  };
  const parts = (base: GitBase): Omit<Git, 'grep'> => ({
    ...base,
    checkout: found.checkout,
    branch: found.branch,
    objectFormat: found.objectFormat,
    holdsCredential,
    gitDir,
    read,
    readAll,
    workTree,
    ...attributes,
    close: () => {
      for (const opened of closing) opened.close();
    },
    entriesOf: treeish => entriesOf(treeish === base.commit ? base.tree : treeish),
    writeTree: changes => writeTree(git, base.tree, changes),
    writeFullTree: changes => writeTree(git, base.fullTree, changes),
    applyDiff: to => applyDiff(git, scratch, to),
    rebased: async ({ commit, tree }) => over(await withhold({ ...base, commit, fullTree: tree })),
    without: async withholds => over(await withhold({ ...base, withholds })),
    showing: paths => over({ ...base, shown: namesInside(found.checkout, paths) }),
    mergeText: texts => mergeText(git, scratch, texts),
    ...hiding(base),
    viewRepository: once(() =>
      makeRepository({
        git,
        read,
        gitDir,
        branch: found.branch,
        objectFormat: found.objectFormat,
        conversions: found.conversions,
        commit: base.commit,
        tree: base.tree,
        folder: join(scratch, `repository-${base.tree}`),
        tags: () =>
          base.commit === found.commit && base.tree === base.fullTree
            ? tagsOf(found, programs)
            : Promise.resolve([]),
        writeIndex: path => workTree.writeIndex(path, base.tree),
      }),
    ),
  });
  const { commit, tree } = found;
  return over({ commit, tree, fullTree: tree, withholds: () => false, shown: [] });
}

interface HidingParts {
  readonly git: GitRunner;
  readonly found: Pick<GitBase, 'tree'> & Pick<Git, 'checkout'>;
  readonly scratch: string;
  readonly entriesOf: Git['entriesOf'];
}

/** What views of a base hide; the checkout is searched once for all of them. */
function openHiding({ git, found: { checkout, tree }, scratch, entriesOf }: HidingParts) {
  const entries = () => entriesOf(tree);
  const search = once(async () =>
    findUntrackedCredentials({ git, checkout, tree, entries: await entries(), own: scratch }),
  );
  return ({ withholds, shown }: GitBase): Pick<Git, 'unshown' | 'untrackedCredentials'> => ({
    untrackedCredentials: async () => {
      const all = await search();
      return { ...all, paths: all.paths.filter(path => !isNamed(path, shown)) };
    },
    unshown: once(async () => {
      const [tracked, { paths: credentials }] = await Promise.all([entries(), search()]);
      const where = { checkout, own: scratch, withheld: withholds, shown, credentials };
      return findUnshown(where, path => tracked.has(path));
    }),
  });
}

/** Lists the entries of trees, each tree once. */
function openListings(
  git: GitRunner,
  objects: GitObjects,
  { commit, tree }: Pick<GitBase, 'commit' | 'tree'>,
) {
  const listed = new Map<string, Promise<ReadonlyMap<string, TreeEntry>>>();
  const list = async (id: string) =>
    (await listTree(name => objects.read(name), id)) ??
    parseEntries((await git(['ls-tree', '-r', '-z', '--full-tree', id])).stdout);
  return (treeish: string): Promise<ReadonlyMap<string, TreeEntry>> => {
    const id = treeish === commit ? tree : treeish;
    const entries = listed.get(id) ?? list(id);
    listed.set(id, entries);
    return entries;
  };
}

interface GitBase extends Pick<Git, 'commit' | 'tree' | 'fullTree' | 'withholds'> {
  /** Untracked credentials that views show. */
  readonly shown: readonly string[];
}

async function inspect(place: GitPlace) {
  const about = ['--show-toplevel', '--git-common-dir', '--show-object-format'];
  const ids = ['HEAD^{commit}', 'HEAD^{tree}', '--symbolic-full-name', 'HEAD'];
  const index = ['--git-path', 'index'];
  const args = ['rev-parse', '--path-format=absolute', ...index, ...about, ...ids];
  const { stdout } = await runGit({ ...place, args }).catch(async (error: unknown) => {
    throw (await findLack(place)) ?? error;
  });
  const [ownIndex, checkout, commonDir, format, commit, tree, head] = stdout
    .toString('utf8')
    .split('\n');
  if (!checkout || !commonDir || !commit || !tree) throw new PhotonError('CHECKOUT_MISSING');
  // core.worktree of an untrusted repository could name any folder of the machine
  const [named, opened] = [checkout, place.cwd].map(path => realpathSync.native(path));
  if (!thisPlatform.isSame(named ?? '', findTop(opened ?? '')))
    throw new PhotonError(
      'GIT',
      `The git configuration of the repository sets core.worktree to ${checkout}.`,
      { hint: 'Remove core.worktree from its configuration.' },
    );
  const common = resolve(checkout, commonDir);
  return {
    checkout,
    checkoutIndex: ownIndex ?? '',
    commonDir: common,
    attributes: readAttributes(common),
    objectFormat: format === 'sha256' ? ('sha256' as const) : ('sha1' as const),
    branch: head?.startsWith('refs/heads/') ? head.slice('refs/heads/'.length) : '',
    commit,
    tree,
  };
}

/** Tags that name the commit, without those of unusual names; at most 20. */
async function tagsOf(
  { commonDir, commit }: { readonly commonDir: string; readonly commit: string },
  programs: Programs,
): Promise<readonly BaseTag[]> {
  if (!mayHaveTags(commonDir)) return [];
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

/** False when the files of the refs show that there are no tags, as in most clones of `actions/checkout`. */
function mayHaveTags(commonDir: string): boolean {
  const tags = join(commonDir, 'refs', 'tags');
  const packed = join(commonDir, 'packed-refs');
  // another way to keep refs has no such folder, or a table beside it
  if (!existsSync(tags) || existsSync(join(commonDir, 'reftable'))) return true;
  if (readdirSync(tags).length > 0) return true;
  return existsSync(packed) && readFileSync(packed, 'utf8').includes(' refs/tags/');
}

/** `actions/checkout` writes an authorization header into the configuration, or includes a file that has it. */
function findCredential(commonDir: string): boolean {
  const path = join(commonDir, 'config');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return /extraheader|^[ \t]*\[include|^[ \t]*helper\s*=/im.test(text);
}

/** A larger file is none that a person wrote. */
const maxAttributes = 1_000_000;

/** The attributes that only this clone has. */
function readAttributes(commonDir: string): string {
  const path = join(commonDir, 'info', 'attributes');
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= maxAttributes ? readFileSync(path, 'utf8') : '';
}

/** Creates a repository that borrows the objects of the checkout and none of its configuration. */
export function makePrivateDir(
  gitDir: string,
  found: {
    readonly commonDir: string;
    readonly objectFormat: string;
    /** The output of `readConversions`. */
    readonly conversions: string;
    /** The checkout's own `info/attributes`; empty if there is none. */
    readonly attributes: string;
  },
): void {
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(gitDir, 'refs'), { recursive: true });
  const sha256 = found.objectFormat === 'sha256';
  const extension = sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  const version = sha256 ? 1 : 0;
  writeFileSync(
    join(gitDir, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tquotePath = false\n${found.conversions}${extension}`,
  );
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

function parseEntries(listing: Buffer): ReadonlyMap<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (const record of listing.toString('utf8').split('\0')) {
    // mode, type, id, tab, path
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , oid = ''] = record.slice(0, tab).split(' ');
    entries.set(record.slice(tab + 1), { mode: mode as FileMode, oid });
  }
  return entries;
}

/** A ref of the private directory that fast-import needs for writing a tree; nothing reads it. */
const writtenRef = 'refs/photon/tree';

/** Writes the base with these changes in one git process, for any number of changes. */
async function writeTree(
  git: GitRunner,
  base: string,
  changes: readonly FileChange[],
): Promise<string> {
  if (changes.length === 0) return base;
  // removals first, because a folder can become a file
  const inOrder = [...changes].sort((a, b) => Number(a.after !== null) - Number(b.after !== null));
  const input = [
    Buffer.from(`commit ${writtenRef}\nmark :1\ncommitter Photon <> 0 +0000\ndata 0\n`),
    Buffer.from(`M 040000 ${base} ""\n`),
    ...inOrder.flatMap(commandFor),
    Buffer.from('\nls :1 ""\ndone\n'),
  ];
  // kept as a pack, because unpacking updates the time of objects that the checkout already has
  const asPack = ['-c', 'fastimport.unpackLimit=1'];
  const { stdout } = await git([...asPack, 'fast-import', '--quiet', '--force', '--done'], {
    input: Buffer.concat(input),
  });
  const id = /^040000 tree ([0-9a-f]+)\t/.exec(stdout.toString('utf8'))?.[1];
  if (id === undefined) throw new PhotonError('GIT', 'git fast-import printed no tree');
  return id;
}

/** One change in the input format of `git fast-import`. */
function commandFor({ path, after }: FileChange): readonly Buffer[] {
  const quoted = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  if (after === null) return [Buffer.from(`D ${quoted}\n`)];
  const head = `M ${after.mode} inline ${quoted}\ndata ${after.bytes.length}\n`;
  return [Buffer.from(head), Buffer.from(after.bytes), Buffer.from('\n')];
}
