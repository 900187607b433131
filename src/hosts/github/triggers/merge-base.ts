/** Brings the base of a pull request into its head: merged here where GitHub finds a conflict, or without a merge commit. */
import { PhotonError } from '../../../base/codes.ts';
import { joinChanges, mergeBranches, reapplyChanges } from '../../../workspace/commits/reapply.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { StartBase } from '../../host.ts';
import { createCommit, type RemoteCommit, readCommit } from '../api/commit-objects.ts';
import { type GitHub, noRetry } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import { isAncestor, readRef, swapRefs } from '../api/refs.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { readWatchedPull, type Watch, type WatchedPull } from '../conversation/watch-state.ts';
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
  const listPaths = (paths: readonly string[]) => paths.slice(0, 5).join(', ');
  if (!merged.ok)
    throw new PhotonError(
      'BASE_CONFLICT',
      `The conflict in ${listPaths(merged.conflicts)} is not one of lines, so it is left to people.`,
    );
  const { changes, marked } = merged;
  if (marked.length === 0) throw new PhotonError('BASE_CONFLICT', sayUnmarked(ours, theirs));
  const unseen = marked.filter(({ path }) => git.withholds(path));
  if (unseen.length > 0 || marked.length > maxConflicts)
    throw new PhotonError(
      'BASE_CONFLICT',
      `These conflicts are left to people: ${listPaths((unseen.length > 0 ? unseen : marked).map(c => c.path))}.`,
    );
  const drift = joinChanges(toHead, changes);
  const over = { commit: commits.head, tree: await git.writeFullTree(drift) };
  const merge = { commit: commits.base, tree, changes, marked };
  return { git: await git.rebased(over), drift, merge };
}

/** A conflict that no file shows: each side moved a file to another place. */
function sayUnmarked(...sides: readonly (readonly FileChange[])[]): string {
  const [ours = [], theirs = []] = sides.map(side =>
    side.filter(change => change.after === undefined).map(change => change.path),
  );
  const moved = ours.filter(path => theirs.includes(path)).slice(0, 5);
  const what = moved.length === 0 ? 'what changed on both sides' : moved.join(', ');
  return `GitHub finds a conflict that is not one of lines, so it is left to people: ${what}.`;
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

/** What became of the merge that GitHub was asked for. */
export type MergeEnding =
  /** GitHub merges, or the branch is not at the head any more: the pull request as it is now. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'moved'; readonly pull: WatchedPull }
  | { readonly kind: 'queued' | 'nothing' | 'conflict' }
  | { readonly kind: 'refused'; readonly error: unknown };

const queueQuery = `query Queue($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { isInMergeQueue } }
}`;

interface Queue {
  readonly repository: { readonly pullRequest: { readonly isInMergeQueue: boolean } | null } | null;
}

/**
 * Has GitHub merge the base, once. After a lost reply or a refusal the head is read, since either can come after the merge
 * or after another push.
 * @throws PhotonError `GITHUB_*` for what is no answer to the merge.
 */
export async function askForMerge(
  github: GitHub,
  { number, head, ref }: WatchedPull,
): Promise<MergeEnding> {
  const name = `refs/heads/${ref}`;
  const expected = { pull_number: number, expected_head_sha: head };
  const look = async () => {
    const now = await readRef(github, name);
    return now === head ? undefined : (now ?? '');
  };
  try {
    const ask = async () => {
      await github.rest.pulls.updateBranch({ ...github.where, ...expected, ...noRetry });
      return undefined;
    };
    const moved = await github.createOnce<string | undefined>(ask, look);
    if (moved === undefined) return { kind: 'accepted' };
  } catch (error) {
    if (getStatus(error) !== 422 && getStatus(error) !== 403) throw error;
    if ((await look()) === undefined) return explainRefusal(github, { number, head, error });
  }
  const pull = await readWatchedPull(github, number);
  const now = pull.isOpen ? await readRef(github, name) : undefined;
  return { kind: 'moved', pull: { ...pull, head: now ?? pull.head } };
}

async function explainRefusal(
  github: GitHub,
  { number, head, error }: { number: number; head: string; error: unknown },
): Promise<MergeEnding> {
  const pull = await readWatchedPull(github, number);
  if (!pull.isOpen) return { kind: 'moved', pull };
  const base = await readRef(github, `refs/heads/${pull.base}`);
  if (base !== undefined && (await isAncestor(github, { ancestor: base, commit: head })))
    return { kind: 'nothing' };
  if (await isQueued(github, number)) return { kind: 'queued' };
  return /merge conflict/i.test(formatMessage(error))
    ? { kind: 'conflict' }
    : { kind: 'refused', error };
}

/** True for a pull request in the merge queue; false where the server knows none. */
function isQueued(github: GitHub, number: number): Promise<boolean> {
  return github.graphql<Queue>(queueQuery, { ...github.where, number }).then(
    ({ repository }) => repository?.pullRequest?.isInMergeQueue === true,
    () => false,
  );
}

/**
 * True if nobody but Photon moved the branch since the last step: its commits, and merges of the base that GitHub made
 * for it or that change nothing else.
 */
export async function isFollowedHead(
  { github }: RepositoryContext,
  { head, watch, base }: Commits & { readonly watch: Pick<Watch, 'head' | 'next' | 'note'> },
): Promise<boolean> {
  let at = head;
  for (let i = 0; i < maxCommits; i++) {
    if (at === watch.head || at === watch.next) return true;
    const commit = await readCommit(github, at);
    const [first, second, ...others] = commit.parents;
    if (first === undefined || others.length > 0) return false;
    // GitHub made the merge that the last step asked for, also of files that both sides changed
    const isOurs =
      (commit.verified && commit.by !== 'person') ||
      (watch.note === 'BASE_MERGED' && first === watch.head);
    const isMerge = async () =>
      second !== undefined &&
      (isOurs
        ? isAncestor(github, { ancestor: second, commit: base })
        : isPlainMerge(github, { head: at, base }));
    if (!isOwnCommit(commit) && !(await isMerge())) return false;
    at = first;
  }
  return false;
}
