/** Brings the base of a pull request into its head: merged here where GitHub finds a conflict, or without a merge commit. */
import { PhotonError } from '../../../base/codes.ts';
import { mergeBranches } from '../../../workspace/commits/merge-branches.ts';
import { joinChanges, reapplyChanges } from '../../../workspace/commits/reapply.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { StartBase } from '../../host.ts';
import { createCommit, type RemoteCommit, readCommit } from '../api/commit-objects.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import { swapRefs } from '../api/swap-refs.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { isOwnCommit } from '../delivery/branch.ts';

interface Commits {
  readonly head: string;
  readonly base: string;
}

/** Most files with conflicts in one step. */
const maxConflicts = 20;

/**
 * The head with the base merged into it, and marks around the conflicts. The checkout may be at another commit.
 * @throws PhotonError `BASE_CONFLICT` for conflicts that only people can resolve; `GITHUB_*`, `GIT`.
 */
export async function openMerge(context: RepositoryContext, commits: Commits): Promise<StartBase> {
  const { git, repository } = context;
  const github = await context.github();
  const found = await withCodes(github, () =>
    readChanges(new RemoteTrees(github, repository), { ...commits, checkout: git.fullTree }),
  );
  const { ours, theirs, drift: toHead, tree } = found;
  if (ours === undefined || theirs === undefined || toHead === undefined)
    throw new PhotonError('BASE_CONFLICT', 'Too much differs between the branches.');
  const merged = await mergeBranches({ ours, theirs }, git.markConflicts);
  const named = (paths: readonly string[]) => paths.slice(0, 5).join(', ');
  if (!merged.ok)
    throw new PhotonError(
      'BASE_CONFLICT',
      `The conflict in ${named(merged.conflicts)} is not one of lines, so it is left to people.`,
    );
  const { changes, marked } = merged;
  const unseen = marked.filter(({ path }) => git.withholds(path));
  if (unseen.length > 0 || marked.length > maxConflicts || marked.length === 0)
    throw new PhotonError(
      'BASE_CONFLICT',
      `These conflicts are left to people: ${named((unseen.length > 0 ? unseen : marked).map(c => c.path))}.`,
    );
  const drift = joinChanges(toHead, changes);
  const over = { commit: commits.head, tree: await git.writeFullTree(drift) };
  const merge = { commit: commits.base, tree, changes, marked };
  return { git: await git.rebased(over), drift, merge };
}

/**
 * The head of a pull request, where the checkout is at another commit.
 * @throws PhotonError `BASE_MOVED` if too much differs; `GITHUB_*`, `GIT`.
 */
export async function openHead(context: RepositoryContext, head: string): Promise<StartBase> {
  const { git, repository } = context;
  const github = await context.github();
  const { tree, drift } = await withCodes(github, async () => {
    const trees = new RemoteTrees(github, repository);
    const to = await trees.readTree(head);
    return { tree: to, drift: await fetchDrift(trees, { from: git.fullTree, to }) };
  });
  if (drift === undefined || (await git.writeFullTree(drift)) !== tree)
    throw new PhotonError('BASE_MOVED', 'The head could not be put together from its changes.');
  return { git: await git.rebased({ commit: head, tree }), drift };
}

async function readChanges(
  trees: RemoteTrees,
  { head, base, checkout }: Commits & { readonly checkout: string },
) {
  const from = await trees.readTree(await trees.mergeBase(base, head));
  const [tree, other] = [await trees.readTree(head), await trees.readTree(base)];
  return {
    tree,
    ours: await fetchDrift(trees, { from, to: tree }),
    theirs: await fetchDrift(trees, { from, to: other }),
    drift: await fetchDrift(trees, { from: checkout, to: tree }),
  };
}

/** Most commits of a branch that are made again. */
const maxCommits = 20;

interface Branch {
  readonly repository: string;
  /** Short name. */
  readonly branch: string;
  readonly head: string;
  /** Commit of the base. */
  readonly base: string;
}

/**
 * True if a rule of the branch forbids merge commits, or if its repository takes pull requests by a rebase alone. What the
 * token may not see forbids nothing.
 * @throws PhotonError `GITHUB_*`.
 */
export async function forbidsMerges(
  github: GitHub,
  { repository, branch }: Pick<Branch, 'repository' | 'branch'>,
): Promise<boolean> {
  const where = splitRepository(repository);
  // a private repository of a free plan answers 403, and an older server 404
  const rules = await github.rest.repos
    .getBranchRules({ ...where, branch })
    .catch(() => ({ data: [] }));
  if (rules.data.some(rule => rule.type === 'required_linear_history')) return true;
  const { data } = await withCodes(github, () => github.rest.repos.get(where));
  return [data.allow_merge_commit, data.allow_squash_merge].every(allowed => allowed === false);
}

/**
 * The commits of a branch that its base does not have, the oldest first; undefined unless each is Photon's own, unchanged,
 * and no merge.
 * @throws PhotonError `GITHUB_*`.
 */
export async function listOwnCommits(
  github: GitHub,
  { repository, head, base }: Omit<Branch, 'branch'>,
): Promise<readonly RemoteCommit[] | undefined> {
  const trees = new RemoteTrees(github, repository);
  const end = await withCodes(github, () => trees.mergeBase(base, head));
  const commits: RemoteCommit[] = [];
  for (let at = head; at !== end; ) {
    const commit = await readCommit(github, repository, at);
    const [parent, ...others] = commit.parents;
    if (parent === undefined || others.length > 0 || !isOwnCommit(commit)) return undefined;
    if (commits.unshift(commit) > maxCommits) return undefined;
    at = parent;
  }
  return commits;
}

/**
 * Makes Photon's own commits again on the base, and moves the branch there if its head is still the one that was read.
 * @returns the new head; `people` for a branch with other commits; `conflict`; `moved` if somebody pushed meanwhile.
 * @throws PhotonError `FORCE_PUSH_FORBIDDEN`, `PUBLISH_MISMATCH`, `GITHUB_*`, `GIT`.
 */
export async function replayBranch(
  github: GitHub,
  git: Pick<Git, 'fullTree' | 'mergeText' | 'writeFullTree'>,
  branch: Branch,
): Promise<{ readonly head: string } | 'people' | 'conflict' | 'moved'> {
  const { repository, base, head } = branch;
  const commits = await listOwnCommits(github, branch);
  if (commits === undefined) return 'people';
  return withCodes(github, async () => {
    const trees = new RemoteTrees(github, repository);
    const where = splitRepository(repository);
    let on = { sha: base, tree: await trees.readTree(base) };
    let drift = await fetchDrift(trees, { from: git.fullTree, to: on.tree });
    for (const { message, tree, parents } of commits) {
      const from = await trees.readTree(parents[0] ?? '');
      const made = await fetchDrift(trees, { from, to: tree });
      const moved = await fetchDrift(trees, { from, to: on.tree });
      if (drift === undefined || made === undefined || moved === undefined) return 'conflict';
      const applied = await reapplyChanges(made, moved, git.mergeText);
      if (!applied.ok) return 'conflict';
      const { changes } = applied;
      if (changes.length === 0) continue; // the base has it
      drift = joinChanges(drift, changes);
      const expectedTree = await git.writeFullTree(drift);
      on = await createCommit(github, where, {
        changes,
        baseCommit: on.sha,
        baseTree: on.tree,
        expectedTree,
        commitMessage: message.replace(/^(Photon-Tree: ).*$/m, `$1${expectedTree}`),
      });
    }
    if (on.sha === base) return 'conflict'; // nothing would be left of the pull request
    const { data } = await github.rest.repos.get(where);
    const change = { name: `refs/heads/${branch.branch}`, before: head, after: on.sha };
    const swapped = await swapRefs(github, { repository, nodeId: data.node_id }, [change]);
    return swapped.ok ? { head: on.sha } : 'moved';
  });
}
