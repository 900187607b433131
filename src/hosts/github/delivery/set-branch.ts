/** Sets a branch, by force, or forward where force is not allowed; restores it, and reads back what a delivery that failed left. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import { type LeftBehind, UnfinishedDelivery } from '../../../base/outcome.ts';
import { commitTree, type RemoteCommit } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage, githubError } from '../api/github-errors.ts';
import { listPulls } from '../api/pull-files.ts';
import { isAncestor, PendingChange, readRef, swapRefs } from '../api/refs.ts';
import { type Rescue, withTimeLeft } from '../api/request-limit.ts';
import { type BranchOfTask, type BranchState, requireOwn } from './branch.ts';

/** A branch to set to a commit. */
interface BranchToSet {
  readonly task: BranchOfTask;
  readonly state: BranchState;
  readonly commit: RemoteCommit;
  readonly rescue: Rescue;
}

/** A branch that is at its commit. */
export interface SetBranch extends BranchToSet {
  readonly notes: readonly string[];
}

/** True for a branch that was left as it was, because it held the patch. */
export function isKept({ state, commit }: SetBranch): boolean {
  return commit.sha === state.head;
}

const onTop =
  'GitHub does not allow force pushes to this branch, so the new commit is on top of the one that it replaces.';

/**
 * Sets the branch if nobody has moved it since the look at it; otherwise it throws. If the head cannot
 * be replaced, the same tree is committed on top of it.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `FORCE_PUSH_FORBIDDEN`, `GITHUB_*`.
 */
export async function setBranch(github: GitHub, to: BranchToSet): Promise<SetBranch> {
  try {
    await swapOrThrow(github, to);
    return { ...to, notes: [] };
  } catch (error) {
    const { head } = to.state;
    const { code } = error as { code?: Code };
    if (code !== 'FORCE_PUSH_FORBIDDEN' || head === undefined) throw error;
    const set = { ...to, commit: await commitOnTop(github, to, head), notes: [onTop] };
    await swapOrThrow(github, set);
    return set;
  }
}

async function swapOrThrow(
  github: GitHub,
  { task, state, commit, rescue }: BranchToSet,
): Promise<void> {
  const name = `refs/heads/${task.branch}`;
  const change = { name, before: state.head, after: commit.sha };
  const swapped = await swapRefs(github, [change], rescue);
  if (swapped.ok) return;
  await requireOwn(github, { ...task, startedFrom: state.head ?? null }, swapped.now.get(name));
  throw new PhotonError('BRANCH_MOVED', `Another run is publishing ${task.branch} at the moment.`);
}

/** Commits the same tree and message on top of a head, and on top of the base if the head does not contain it. */
async function commitOnTop(
  github: GitHub,
  { commit }: BranchToSet,
  head: string,
): Promise<RemoteCommit> {
  const {
    tree,
    message,
    parents: [base = head],
  } = commit;
  const holdsBase = await isAncestor(github, { ancestor: base, commit: head });
  return commitTree(github, {
    tree,
    message,
    parents: holdsBase ? [head] : [head, base],
  });
}

/**
 * Restores the branch. A failure is only logged: the caller reports the first error.
 * @returns true if GitHub confirmed that the branch is what it was.
 */
export async function putBack(github: GitHub, set: SetBranch): Promise<boolean> {
  if (isKept(set)) return true;
  const { commit, state, task, rescue } = set;
  const back = {
    name: `refs/heads/${task.branch}`,
    before: commit.sha,
    after: state.head ?? null,
  };
  try {
    const later = await withTimeLeft(github, rescue);
    if ((await swapRefs(later, [back], rescue)).ok) return true;
    github.log(`GitHub: ${task.branch} was moved by somebody else and stays as it is.`);
  } catch (error) {
    github.log(`GitHub: Photon could not restore ${task.branch}: ${formatMessage(error)}`);
  }
  return false;
}

/** A branch that the delivery tried to set. */
interface TriedBranch {
  readonly branch: string;
  /** What the branch was before; undefined if there was none. */
  readonly before: string | undefined;
  /** The commit of this run. */
  readonly commit: string;
  /** `restored`: GitHub confirmed it. `set`: it was set and not restored. `unknown`: it may never have been set. */
  readonly end: 'restored' | 'set' | 'unknown';
  /** False: nobody tried to open a pull request. */
  readonly opensPull: boolean;
  readonly rescue?: Rescue;
}

/** The error of a delivery, with what is there now. It never rejects: what cannot be read is unknown. */
export async function withLeft(
  github: GitHub,
  error: unknown,
  tried: TriedBranch,
): Promise<UnfinishedDelivery> {
  const known = githubError(error, github.signal);
  const names = [`the branch ${tried.branch}`, `the pull requests of ${tried.branch}`];
  try {
    const later = await withTimeLeft(github, tried.rescue);
    const [branch, pulls] = await Promise.allSettled([
      readBranch(later, { ...tried, isPending: known instanceof PendingChange }),
      readPulls(later, tried),
    ]);
    return new UnfinishedDelivery(known, {
      branches: branch.status === 'fulfilled' ? (branch.value ?? []) : [],
      pulls: pulls.status === 'fulfilled' ? pulls.value : [],
      unread: names.filter((_name, i) =>
        i === 0
          ? branch.status === 'rejected' || branch.value === undefined
          : pulls.status === 'rejected',
      ),
    });
  } catch {
    return new UnfinishedDelivery(known, { branches: [], pulls: [], unread: names });
  }
}

/** The branch if it holds the commit; undefined if the read does not tell. */
async function readBranch(
  github: GitHub,
  { branch, before, commit, end, isPending }: TriedBranch & { readonly isPending: boolean },
): Promise<LeftBehind['branches'] | undefined> {
  if (end === 'restored') return [];
  const now = await readRef(github, `refs/heads/${branch}`);
  if (now === commit) return [{ name: branch, commit }];
  if (isPending) return undefined;
  // it was set and not restored, so what it was before is a reply that lags behind
  return (now === before) === (end === 'unknown') ? [] : undefined;
}

/** The pull requests whose head is the commit of this run. */
async function readPulls(
  github: GitHub,
  { branch, commit, opensPull }: TriedBranch,
): Promise<LeftBehind['pulls']> {
  if (!opensPull) return [];
  return (await listPulls(github, branch, 'all'))
    .filter(pull => pull.head.sha === commit)
    .map(({ number, state }) => ({
      number,
      change: 'opened',
      state: state === 'open' ? 'open' : 'closed',
    }));
}

/** The error of a review, which may be there in part: nobody reads it back. */
export function withReviewUnread(
  github: GitHub,
  error: unknown,
  number: number,
): UnfinishedDelivery {
  const unread = [`the reviews of #${number}`];
  return new UnfinishedDelivery(githubError(error, github.signal), {
    branches: [],
    pulls: [],
    unread,
  });
}
