/** Sets a branch together with its mark, by force, or forward where force is not allowed; restores it, and reads back what a delivery that failed left. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import { type LeftBehind, UnfinishedDelivery } from '../../../base/outcome.ts';
import { commitTree, type RemoteCommit } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage, githubError } from '../api/github-errors.ts';
import { listPulls } from '../api/pull-files.ts';
import { isAncestor, isRefusal, type RefRepository, readRef, swapRefs } from '../api/refs.ts';
import { type Rescue, withTimeLeft } from '../api/request-limit.ts';
import { type BranchOfTask, type BranchState, isOwnHead, requireOwn } from './branch.ts';
import { listMarks } from './journal.ts';

/** A branch to set to a commit. */
interface BranchToSet {
  readonly place: RefRepository;
  readonly task: BranchOfTask;
  readonly state: BranchState;
  readonly commit: RemoteCommit;
}

/** A branch that was set to a commit. */
export interface SetBranch extends BranchToSet {
  /** Name of its mark; undefined for a branch that held the commit already and was not changed. */
  readonly mark: string | undefined;
  readonly notes: readonly string[];
}

type MarkedBranch = SetBranch & { readonly mark: string };

const onTop =
  'GitHub does not allow force pushes to this branch, so the new commit is on top of the one that it replaces.';

/**
 * Sets the branch if nobody has moved it since the look at it; otherwise it throws. The mark is set
 * before the branch. If the head cannot be replaced, the same tree is committed on top of it.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `FORCE_PUSH_FORBIDDEN`, `GITHUB_*`.
 */
export async function setBranch(github: GitHub, to: BranchToSet): Promise<MarkedBranch> {
  await removeLeftMarks(github, to);
  const { state, task } = to;
  const [hidden, asBranch] = listMarks(task.branch);
  const kept = state.pending.find(p => p.sha === state.head)?.name;
  let set: MarkedBranch = {
    ...to,
    mark: kept ?? (github.refs.anywhere ? hidden : asBranch),
    notes: [],
  };
  for (;;) {
    try {
      await swapOrThrow(github, set);
      if (set.mark === asBranch) github.refs.anywhere = false;
      return set;
    } catch (error) {
      const { code } = error as { code?: Code };
      if (code === 'FORCE_PUSH_FORBIDDEN' && set.commit === to.commit && state.head !== undefined)
        set = { ...set, commit: await commitOnTop(github, set, state.head), notes: [onTop] };
      else if (isRefusal(code) && set.mark === hidden) set = { ...set, mark: asBranch };
      else throw error;
    }
  }
}

async function swapOrThrow(github: GitHub, set: MarkedBranch): Promise<void> {
  const { place, task, state, commit, mark } = set;
  const name = `refs/heads/${task.branch}`;
  const before = state.pending.find(p => p.name === mark && p.sha === state.head)?.sha;
  const swapped = await swapRefs(github, place, [
    { name: mark, before, after: commit.sha },
    { name, before: state.head, after: commit.sha },
  ]);
  if (swapped.ok) return;
  const head = swapped.now.get(name);
  await requireOwn(github, { ...task, startedFrom: state.head ?? null }, head);
  throw inUse(task);
}

function inUse({ branch }: BranchOfTask): PhotonError {
  return new PhotonError('BRANCH_MOVED', `Another run is publishing ${branch} at the moment.`);
}

/** Removes marks of runs that were killed before they set this branch. */
async function removeLeftMarks(github: GitHub, { place, task, state }: BranchToSet): Promise<void> {
  for (const { name, sha } of state.pending.filter(p => p.sha !== state.head)) {
    const { taskId } = task;
    // people can push to a mark that is a branch
    if (name.startsWith('refs/heads/') && !(await isOwnHead(github, { sha, taskId })))
      throw new PhotonError(
        'BRANCH_TAKEN',
        `${name} holds commits that do not belong to this task.`,
      );
    const swapped = await swapRefs(github, place, [{ name, before: sha, after: null }]);
    if (!swapped.ok) throw inUse(task);
  }
}

/** Commits the same tree and message on top of a head, and on top of the base if the head does not contain it. */
async function commitOnTop(
  github: GitHub,
  { commit }: SetBranch,
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

/** Removes the mark of a branch that has its pull request. @returns a note when that fails. */
export async function removeMark(github: GitHub, set: SetBranch): Promise<readonly string[]> {
  const { place, mark, commit } = set;
  if (mark === undefined) return [];
  const entry = { name: mark, before: commit.sha, after: null };
  try {
    const remove = async () => swapRefs(await withTimeLeft(github, place.rescue), place, [entry]);
    const swapped = await remove().catch((error: unknown) => {
      // the time ran out in between: try once more, with the client for cleaning up
      if (github.signal.aborted) return remove();
      throw error;
    });
    return swapped.ok ? [] : [`Another run has moved the mark ${mark}.`];
  } catch (error) {
    return [`Photon could not remove the mark ${mark}: ${formatMessage(error)}`];
  }
}

/**
 * Restores the branch. A failure is only logged: the caller reports the first error.
 * @returns true if GitHub confirmed that the branch is what it was.
 */
export async function putBack(github: GitHub, set: SetBranch): Promise<boolean> {
  const { place, mark, commit, state, task } = set;
  if (mark === undefined) return true;
  const name = `refs/heads/${task.branch}`;
  const entry = { name: mark, before: commit.sha, after: null };
  const pending = state.pending.find(p => p.name === mark && p.sha === state.head);
  try {
    const later = await withTimeLeft(github, place.rescue);
    const back = { name, before: commit.sha, after: state.head ?? null };
    const both = [back, { ...entry, after: pending?.sha ?? null }];
    const swapped = await swapRefs(later, place, both).catch((error: unknown) => {
      const { code } = error as { code?: Code };
      if (code !== 'FORCE_PUSH_FORBIDDEN' && !isRefusal(code)) throw error;
      return null;
    });
    if (swapped?.ok) return true;
    // somebody moved the branch, or GitHub refuses to restore it; only the mark belongs to this run
    const why =
      swapped === null
        ? 'cannot be restored here and stays at the complete verified commit'
        : 'was moved by somebody else and stays as it is';
    github.log(`GitHub: ${task.branch} ${why}.`);
    await swapRefs(later, place, [entry]);
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
  /** The pull request that was there before, if this run changed its text. */
  readonly updated?: number | undefined;
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
      readBranch(later, tried),
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
  { branch, before, commit, end }: TriedBranch,
): Promise<LeftBehind['branches'] | undefined> {
  if (end === 'restored') return [];
  const now = await readRef(github, `refs/heads/${branch}`);
  if (now === commit) return [{ name: branch, commit }];
  // it was set and not restored, so what it was before is a reply that lags behind
  return (now === before) === (end === 'unknown') ? [] : undefined;
}

/** The pull requests whose head is the commit of this run, and the one whose text it changed. */
async function readPulls(
  github: GitHub,
  { branch, commit, updated, opensPull }: TriedBranch,
): Promise<LeftBehind['pulls']> {
  if (!opensPull) return [];
  return (await listPulls(github, branch, 'all'))
    .filter(pull => pull.number === updated || (pull.head.sha === commit && updated === undefined))
    .map(({ number, state }) => {
      const change = number === updated ? ('updated' as const) : ('opened' as const);
      return { number, change, state: state === 'open' ? ('open' as const) : ('closed' as const) };
    });
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
