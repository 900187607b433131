/** Reads the checkout as git objects, through a private git directory without the checkout's configuration and hooks. */
import { join } from 'node:path';
import { memoize } from '../../base/once.ts';
import type { Programs } from '../../process/programs.ts';
import type { FileChange } from '../files/change.ts';
import { openAttributes, type TreeAttributes } from './attributes.ts';
import { readCheckout } from './checkout-state.ts';
import { type GrepAnswer, type GrepQuery, grepTree } from './git-grep.ts';
import { applyDiff, GitObjects, listTree, type TreeEntry, writeTree } from './git-objects.ts';
import { type GitRunner, runGit } from './git-process.ts';
import { type MarkedText, markConflicts, mergeText, type ThreeTexts } from './merge-text.ts';
import { listTags, makePrivateDir, makeRepository } from './private-dir.ts';
import { findUnneeded } from './unneeded.ts';
import {
  findUnshown,
  findUntrackedCredentials,
  isNamed,
  namesInside,
  type UntrackedCredentials,
} from './unshown.ts';
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
  listTreeEntries(treeish: string): Promise<ReadonlyMap<string, TreeEntry>>;
  readonly listConversions: TreeAttributes['listConversions'];
  readonly findCrlf: TreeAttributes['findCrlf'];
  /** Content by object id or `commit:path`; undefined when it does not exist. */
  read(name: string): Promise<Buffer | undefined>;
  grep(query: GrepQuery): Promise<GrepAnswer>;
  /** Writes `tree` with these changes as a tree into the private directory. Returns its id. */
  writeTree(changes: readonly FileChange[]): Promise<string>;
  /** The same with `fullTree`. */
  writeFullTree(changes: readonly FileChange[]): Promise<string>;
  /** The tree that a unified diff makes of a tree; undefined when it does not apply there exactly. */
  applyDiff(to: { readonly tree: string; readonly diff: string }): Promise<string | undefined>;
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
  /** Merges three texts; undefined when both sides changed the same lines, or one is binary. */
  mergeText(texts: ThreeTexts): Promise<Buffer | undefined>;
  /** The same with marks around the lines that both sides changed; undefined when one is binary. */
  markConflicts(texts: ThreeTexts): Promise<MarkedText | undefined>;
  /** Compares the files of the checkout, and of views of it, with trees. */
  readonly workTree: WorkTree;
  /** Paths of the checkout that no view shows: credentials, and git folders below the top. None lies below another. */
  unshown(): Promise<readonly string[]>;
  /** Folder of the repository that views contain instead of the checkout's, or undefined. */
  viewRepository(): Promise<string | undefined>;
  close(): void;
}

export interface GitOptions {
  /** A folder of Photon for the private directory. */
  readonly scratch: string;
  readonly programs: Programs;
}

/**
 * Opens the checkout that contains `folder`, at its HEAD.
 * @throws PhotonError `CHECKOUT_MISSING` when it is no checkout or has no commit; `GIT`.
 */
export async function openGit(folder: string, { scratch, programs }: GitOptions): Promise<Git> {
  const place = { cwd: folder, programs };
  const found = await readCheckout(place);
  const { checkout, branch, objectFormat, holdsCredential } = found;
  const gitDir = join(scratch, 'git');
  makePrivateDir(gitDir, found);
  const objects = new GitObjects({ cwd: gitDir, programs });
  const git: GitRunner = (args, more = {}) =>
    runGit({ args: ['--git-dir', gitDir, ...args], cwd: gitDir, programs, ...more });
  const read = (name: string) => objects.read(name);
  const listings = memoize(id => listTree(git, id));
  const listEntries = (treeish: string) =>
    listings(treeish === found.commit ? found.tree : treeish);
  const attributes = openAttributes({
    git,
    listTreeEntries: listEntries,
    read,
    scratch,
    own: found.attributes,
  });
  const workTree = openWorkTree({
    git,
    read,
    listConversions: attributes.listConversions,
    scratch,
    checkout,
    checkoutIndex: found.checkoutIndex,
    tree: found.tree,
    entries: () => listEntries(found.tree),
  });
  const hiding = openHiding({ git, found, scratch, listTreeEntries: listEntries });
  /** The tree that is left without the withheld paths. */
  const withhold = async (base: Omit<GitBase, 'tree'>): Promise<GitBase> => {
    const entries = [...(await listEntries(base.fullTree))];
    const held = new Set(entries.filter(([path]) => base.withholds(path)).map(([, e]) => e.oid));
    // a copy of a withheld file says what that says
    const gone = entries.filter(
      ([path, e]) => base.withholds(path) || (held.has(e.oid) && !isEmpty(e)),
    );
    const changes = gone.map(([path]) => ({ path, before: undefined, after: undefined }));
    const paths = new Set(changes.map(({ path }) => path));
    const withholds = (path: string) => base.withholds(path) || paths.has(path);
    return { ...base, withholds, tree: await writeTree(git, base.fullTree, changes) };
  };
  const over = (base: GitBase): Git => ({
    ...base,
    checkout,
    branch,
    objectFormat,
    holdsCredential,
    gitDir,
    read,
    workTree,
    ...attributes,
    close: () => objects.close(),
    listTreeEntries: treeish => listEntries(treeish === base.commit ? base.tree : treeish),
    grep: query => grepTree(git, query),
    writeTree: changes => writeTree(git, base.tree, changes),
    writeFullTree: changes => writeTree(git, base.fullTree, changes),
    applyDiff: to => applyDiff(git, scratch, to),
    rebased: async ({ commit, tree }) => over(await withhold({ ...base, commit, fullTree: tree })),
    without: async withholds => over(await withhold({ ...base, withholds })),
    showing: paths => over({ ...base, shown: namesInside(checkout, paths) }),
    mergeText: texts => mergeText(git, scratch, texts),
    markConflicts: texts => markConflicts(git, scratch, texts),
    ...hiding(base),
    viewRepository: memoize(() =>
      makeRepository({
        git,
        read,
        branch,
        objectFormat,
        commit: base.commit,
        tree: base.tree,
        folder: join(scratch, `repository-${base.tree}`),
        tags: async () =>
          base.commit === found.commit && base.tree === base.fullTree
            ? listTags(found, programs)
            : [],
        writeIndex: path => workTree.writeIndex(path, base.tree),
      }),
    ),
  });
  const { commit, tree } = found;
  return over({ commit, tree, fullTree: tree, withholds: () => false, shown: [] });
}

/** The blob of an empty file, in both formats of objects. */
const isEmpty = ({ oid }: TreeEntry) => /^(?:e69de29bb2d1d6434b8b|473a0f4c3be8a93681a2)/.test(oid);

interface HidingParts {
  readonly git: GitRunner;
  readonly found: Pick<GitBase, 'tree'> & Pick<Git, 'checkout'>;
  readonly scratch: string;
  readonly listTreeEntries: Git['listTreeEntries'];
}

/** What views of a base hide; the checkout is searched once for all of them. */
function openHiding({ git, found: { checkout, tree }, scratch, listTreeEntries }: HidingParts) {
  const entries = () => listTreeEntries(tree);
  const search = memoize(async () =>
    findUntrackedCredentials({
      git,
      checkout,
      tree,
      entries: await entries(),
      own: scratch,
      unneeded: await findUnneeded({ git, checkout, tree, scratch }),
    }),
  );
  return ({ withholds, shown }: GitBase): Pick<Git, 'unshown' | 'untrackedCredentials'> => ({
    untrackedCredentials: async () => {
      const all = await search();
      const isHidden = (path: string) => !isNamed(path, shown);
      return {
        ...all,
        paths: all.paths.filter(isHidden),
        unneeded: all.unneeded.filter(isHidden),
      };
    },
    unshown: memoize(async () => {
      const [tracked, { paths, unneeded }] = await Promise.all([entries(), search()]);
      const secret = [...paths, ...unneeded];
      const where = { checkout, own: scratch, withheld: withholds, shown, credentials: secret };
      return findUnshown(where, path => tracked.has(path));
    }),
  });
}

interface GitBase extends Pick<Git, 'commit' | 'tree' | 'fullTree' | 'withholds'> {
  /** Untracked credentials that views show. */
  readonly shown: readonly string[];
}
