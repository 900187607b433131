/** Brings the base of a pull request into its head: merged here where GitHub finds a conflict, or without a merge commit. */
import { PhotonError } from '../../../base/codes.ts';
import { joinChanges, mergeBranches, reapplyChanges } from '../../../workspace/commits/reapply.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { StartBase } from '../../host.ts';
import { createCommit, type RemoteCommit, readCommit } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { isAncestor, swapRefs } from '../api/refs.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import type { Watch } from '../conversation/watch-state.ts';
import { isOwnCommit, isPlainMerge, readRules } from '../delivery/branch.ts';

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
  const { github, git } = context;
  const found = await readChanges(new RemoteTrees(github), {
    ...commits,
    checkout: git.fullTree,
  });
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
  const { github, git } = context;
  const trees = new RemoteTrees(github);
  const tree = await trees.readTree(head);
  const drift = await fetchDrift(trees, { from: git.fullTree, to: tree });
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
export async function forbidsMerges(github: GitHub, branch: string): Promise<boolean> {
  const rules = await readRules(github, branch);
  if (rules.some(rule => rule.type === 'required_linear_history')) return true;
  const { data } = await github.rest.repos.get(github.where);
  return [data.allow_merge_commit, data.allow_squash_merge].every(allowed => allowed === false);
}

/** Why the commits of a branch are not made again, as the end of a sentence. */
const reasons = {
  people: 'it holds commits that Photon did not make, and never makes again',
  merge: 'it holds a merge',
  many: `it holds more than ${maxCommits} commits`,
  conflict: 'the base changed the same lines',
  large: 'the base changed more than Photon compares',
  nothing: 'the base holds all of its changes',
} as const;

/** GitHub says no to the move of this branch, and would again. */
const refusals: ReadonlySet<string> = new Set([
  'FORCE_PUSH_FORBIDDEN',
  'BRANCH_RULES',
  'WORKFLOWS_FORBIDDEN',
]);

/**
 * The commits of a branch that its base does not have, the oldest first; or why they cannot be made again. Anybody can write
 * the trailers of Photon's commits, so GitHub must have signed each for a bot.
 * @throws PhotonError `GITHUB_*`.
 */
async function listOwnCommits(
  github: GitHub,
  { head, base }: Omit<Branch, 'branch'>,
): Promise<readonly RemoteCommit[] | string> {
  const trees = new RemoteTrees(github);
  const end = await trees.mergeBase(base, head);
  const commits: RemoteCommit[] = [];
  for (let at = head; at !== end; ) {
    const commit = await readCommit(github, at);
    const isSigned = commit.verified && commit.by !== 'person';
    if (!isSigned || !isOwnCommit(commit) || !/^Photon-Tree: /m.test(commit.message))
      return reasons.people;
    const [parent, ...others] = commit.parents;
    if (parent === undefined || others.length > 0) return reasons.merge;
    if (commits.unshift(commit) > maxCommits) return reasons.many;
    at = parent;
  }
  return commits;
}

/** The message of a commit that is made again: no test saw its tree, and no ledger states it. */
function writeMessage(
  message: string,
  { tree, base }: { readonly tree: string; readonly base: string },
) {
  return message
    .replace(
      /^(?:Verified by: .*|Not verified.*)$/m,
      `Not verified since it was made again on ${base.slice(0, 12)}.`,
    )
    .replace(/^Photon-(?:Run|Ledger): .*(?:\n|$)/gm, '')
    .replace(/^(Photon-Tree: ).*$/m, `$1${tree}`);
}

/**
 * Makes Photon's own commits again on the base, and moves the branch there if its head is still the one that was read.
 * `beforeMove` hears of the new head before it is one.
 * @returns why that cannot be, as the end of a sentence; undefined when the branch moved, also by somebody else.
 * @throws PhotonError `PUBLISH_MISMATCH`, `GITHUB_*`, `GIT`.
 */
export async function replayBranch(
  github: GitHub,
  git: Pick<Git, 'fullTree' | 'mergeText' | 'writeFullTree'>,
  branch: Branch & { readonly beforeMove: (head: string) => Promise<void> },
): Promise<string | undefined> {
  const { head } = branch;
  const commits = await listOwnCommits(github, branch);
  if (typeof commits === 'string') return commits;
  try {
    const made = await makeAgain(github, git, { ...branch, commits });
    if (typeof made === 'string') return made;
    await branch.beforeMove(made.sha);
    const change = { name: `refs/heads/${branch.branch}`, before: head, after: made.sha };
    await swapRefs(github, [change]);
    return undefined;
  } catch (error) {
    if (error instanceof PhotonError && refusals.has(error.code))
      return `GitHub refuses that (${error.code})`;
    throw error;
  }
}

/** The commits on the base, without those that the base has; or why they do not fit there. */
async function makeAgain(
  github: GitHub,
  git: Pick<Git, 'fullTree' | 'mergeText' | 'writeFullTree'>,
  { base, commits }: Branch & { readonly commits: readonly RemoteCommit[] },
): Promise<Pick<RemoteCommit, 'sha'> | string> {
  const trees = new RemoteTrees(github);
  let on = { sha: base, tree: await trees.readTree(base) };
  let drift = await fetchDrift(trees, { from: git.fullTree, to: on.tree });
  for (const { message, tree, parents } of commits) {
    const from = await trees.readTree(parents[0] ?? '');
    const made = await fetchDrift(trees, { from, to: tree });
    const moved = await fetchDrift(trees, { from, to: on.tree });
    if (drift === undefined || made === undefined || moved === undefined) return reasons.large;
    const applied = await reapplyChanges(made, moved, git.mergeText);
    if (!applied.ok) return reasons.conflict;
    const { changes } = applied;
    if (changes.length === 0) continue; // the base has it
    drift = joinChanges(drift, changes);
    const expectedTree = await git.writeFullTree(drift);
    on = await createCommit(github, {
      changes,
      baseCommit: on.sha,
      baseTree: on.tree,
      expectedTree,
      commitMessage: writeMessage(message, { tree: expectedTree, base }),
    });
  }
  return on.sha === base ? reasons.nothing : on;
}

/** True for a commit of Photon's on the head of the last step, and for a merge of the base that changes nothing else. */
export async function isFollowedHead(
  { github }: RepositoryContext,
  { head: sha, watch, base }: Commits & { readonly watch: Pick<Watch, 'head' | 'note'> },
): Promise<boolean> {
  const head = await readCommit(github, sha);
  const [first, second, ...others] = head.parents;
  if (first !== watch.head || others.length > 0) return false;
  if (isOwnCommit(head)) return true;
  // GitHub made the merge that the last step asked for, also of files that both sides changed
  return watch.note === 'BASE_MERGED' && second !== undefined
    ? isAncestor(github, { ancestor: second, commit: base })
    : isPlainMerge(github, { head: sha, base });
}
