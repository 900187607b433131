/** The verified patch ► a pull request, over the API only. Nothing is visible before everything is. */
import { PhotonError } from '../../../base/codes.ts';
import type { DeliveryResult } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import { loginPattern } from '../../../settings/triggers.ts';
import type { PullRequestText } from '../../deliver-patch.ts';
import {
  type Actor,
  createCommit,
  type RemoteCommit,
  readCommit,
  type TreeCommit,
} from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { readRef, swapRefs } from '../api/refs.ts';
import type { Rescue } from '../api/request-limit.ts';
import { type BranchOfTask, type BranchState, isOwnCommit, lookAtBranch } from './branch.ts';
import { applyMetadata, type Extras, openOrUpdatePull, startWorkflow } from './open-pull.ts';
import { isKept, putBack, type SetBranch, setBranch, withLeft } from './set-branch.ts';

/** A commit and the pull request that it is for. */
export interface PublishRequest extends BranchOfTask, TreeCommit {
  readonly baseRef: string;
  /** Title and body. They depend on the owner of the token, and on whether Photon starts a workflow because GitHub starts none. */
  readonly renderText: (by: Actor, startsWorkflow: boolean) => PullRequestText;
  /** False: Photon sets only the branch, and the outcome has a link that opens a pull request. */
  readonly opensPull?: boolean;
  readonly draft: boolean;
  readonly extras: Extras;
  /** Workflow that Photon starts when GitHub starts none; empty for none. */
  readonly dispatchWorkflow: string;
  readonly rescue?: Rescue;
}

export interface PublishResult {
  readonly delivered: DeliveryResult;
  readonly notes: readonly string[];
}

/** A publication whose branch is set. */
interface Publishing {
  readonly github: GitHub;
  readonly request: PublishRequest;
  readonly set: SetBranch;
}

/**
 * Publishes a patch on the base that it was verified on: first the objects, then the branch in
 * one change, then the pull request and its metadata. A failure restores the branch. After a run that
 * was killed, the next run of the task finds its own commit, and goes on from there.
 * @throws PhotonError `PUBLISH_MISMATCH`, `BRANCH_TAKEN`, `BRANCH_MOVED`, `FORCE_PUSH_FORBIDDEN`,
 * `WORKFLOWS_FORBIDDEN`, `GITHUB_*`.
 */
export async function publishPatch(
  github: GitHub,
  request: PublishRequest,
): Promise<PublishResult> {
  requireSafeRef(request.branch);
  const state = await lookAtBranch(github, request);
  const { branch, rescue, opensPull = true } = request;
  const commit = await createCommit(github, request);
  const kept = await findSame(github, state, commit);
  const to = { task: request, state, commit, rescue };
  const tried = { branch, rescue, before: state.head, opensPull };
  const set = kept
    ? { ...to, commit: kept, notes: [samePatch] }
    : await setBranch(github, to).catch(async (error: unknown) => {
        throw isUnknownEnd(error)
          ? await withLeft(github, error, { ...tried, commit: commit.sha, end: 'unknown' })
          : error;
      });
  const publishing = { github, request, set };
  try {
    await requireArrival(publishing);
    return await (opensPull ? finish(publishing) : offerLink(publishing));
  } catch (error) {
    const end = (await putBack(github, set)) ? 'restored' : 'set';
    throw await withLeft(github, error, { ...tried, commit: set.commit.sha, end });
  }
}

const samePatch =
  'The branch already holds this patch on this base, so Photon made no new commit: approvals and checks stay.';

/** The head of a branch that already is what a new commit would make of it. */
async function findSame(
  github: GitHub,
  { head }: BranchState,
  { tree, parents }: RemoteCommit,
): Promise<RemoteCommit | undefined> {
  if (head === undefined) return undefined;
  const there = await readCommit(github, head);
  return there.tree === tree && parents.every(parent => there.parents.includes(parent))
    ? there
    : undefined;
}

/** True if the error does not say that GitHub refused: the change may have happened. */
function isUnknownEnd(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code !== 'BRANCH_TAKEN' && code !== 'BRANCH_MOVED' && code !== 'FORCE_PUSH_FORBIDDEN';
}

function requireSafeRef(branch: string): void {
  const safe = /^[a-z0-9][a-z0-9/_.-]*$/.test(branch) && !/\.\.|\/\/|\.lock$|[/.]$/.test(branch);
  if (!safe) throw new PhotonError('SETTING_INVALID', `the branch name "${branch}" is not allowed`);
}

/** @throws PhotonError `PUBLISH_MISMATCH` when the push did not arrive. */
async function requireArrival({ github, request, set: { commit } }: Publishing): Promise<void> {
  const sha = await github.readWritten(
    () => readRef(github, `refs/heads/${request.branch}`),
    found => found === commit.sha,
  );
  if (sha === commit.sha) return;
  const what = `${request.branch} is at ${sha ?? 'no commit'} instead of ${commit.sha}.`;
  throw new PhotonError('PUBLISH_MISMATCH', what);
}

/**
 * Starts a workflow if GitHub starts none, opens or updates the pull request, and applies the metadata.
 * The workflow is first, so that a pull request says what became of it, and means that it was started.
 */
async function finish({ github, request, set }: Publishing): Promise<PublishResult> {
  const { state, commit } = set;
  const { branch, baseRef, draft, extras } = request;
  const workflow = needsWorkflow(set) ? request.dispatchWorkflow : '';
  const unstarted = await startWorkflow(github, { workflow, branch, held: extras.held });
  const text = request.renderText(commit.by, workflow !== '' && unstarted.length === 0);
  const place = { branch, baseRef, draft, known: state.pull };
  const opened = await openOrUpdatePull(github, { ...place, ...text });
  const withMetadata = await applyMetadata(github, opened, extras);
  const { pull, operation, notes } = opened;
  const delivered: DeliveryResult = {
    kind: 'pull-request',
    branch,
    commit: commit.sha,
    operation: operation === 'updated' && isKept(set) ? 'none' : operation,
    commitsVerified: commit.verified,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.html_url,
  };
  return { delivered, notes: [...notes, ...withMetadata, ...unstarted, ...set.notes] };
}

/** GitHub starts no workflow for a commit of its own token. A pull request that was there has had its own. */
function needsWorkflow(set: SetBranch): boolean {
  const hasRun = isKept(set) && set.state.pull !== undefined;
  return set.commit.by === 'github-token' && !hasRun;
}

/** Ends with the branch alone, and a link that opens the pull request. */
async function offerLink({ github, request, set }: Publishing): Promise<PublishResult> {
  const { state, commit } = set;
  const { branch, baseRef } = request;
  const { data } = await github.rest.repos.get(github.where);
  const delivered: DeliveryResult = {
    kind: 'branch',
    branch,
    commit: commit.sha,
    commitsVerified: commit.verified,
    operation: isKept(set) ? 'none' : state.head === undefined ? 'created' : 'updated',
    compareUrl: `${data.html_url}/compare/${encodeURI(baseRef)}...${encodeURI(branch)}?expand=1`,
  };
  return { delivered, notes: set.notes };
}

interface PushRequest extends TreeCommit {
  /** Short name of the head branch. Its head is `baseCommit` unless it moved. */
  readonly branch: string;
  readonly taskId: string;
  readonly pull: { readonly number: number; readonly url: string };
  readonly rescue?: Rescue;
}

/**
 * Pushes the commit. @returns `moved` when the branch is no longer where the patch was verified.
 * @throws PhotonError `PUBLISH_MISMATCH`, `GITHUB_*`.
 */
export async function pushCommit(
  github: GitHub,
  request: PushRequest,
): Promise<PublishResult | 'moved'> {
  const name = `refs/heads/${request.branch}`;
  const commit = await createCommit(github, request);
  const change = { name, before: request.baseCommit, after: commit.sha, forward: true };
  const { branch, baseCommit: before, rescue } = request;
  const tried = { rescue, branch, before, commit: commit.sha, opensPull: false };
  const swapped = await swapRefs(github, [change], rescue).catch(async (error: unknown) => {
    throw await withLeft(github, error, { ...tried, end: 'unknown' });
  });
  if (swapped.ok) return describePush(request, { ...commit, operation: 'updated' });
  const head = swapped.now.get(name);
  const own = head === undefined ? undefined : await findOwn(github, request, head);
  return own === undefined ? 'moved' : describePush(request, { ...own, operation: 'none' });
}

/** The same patch, pushed by an earlier run of this task that was killed before it could report. */
async function findOwn(
  github: GitHub,
  { taskId, baseCommit, expectedTree }: PushRequest,
  sha: string,
): Promise<RemoteCommit | undefined> {
  const commit = await readCommit(github, sha);
  const same = commit.tree === expectedTree && commit.parents[0] === baseCommit;
  return same && isOwnCommit(commit, taskId) ? commit : undefined;
}

function describePush(
  { branch, pull }: PushRequest,
  made: { sha: string; verified: boolean; operation: 'updated' | 'none' },
): PublishResult {
  const delivered: DeliveryResult = {
    kind: 'commit',
    branch,
    commit: made.sha,
    commitsVerified: made.verified,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.url,
    operation: made.operation,
  };
  return { delivered, notes: [] };
}

interface Payload {
  readonly sender?: { readonly login?: unknown; readonly id?: unknown };
  readonly comment?: { readonly user?: Payload['sender'] };
}

/**
 * `Co-authored-by:` with the account's noreply address. Empty when the event does not hold the
 * account's id: without the id the line could name another account.
 */
export function formatCoAuthor(task: Pick<Task, 'askedBy'>, payload: unknown): string {
  const { sender, comment } = (payload ?? {}) as Payload;
  const found = [comment?.user, sender].find(p => p?.login === task.askedBy);
  if (typeof found?.id !== 'number' || !Number.isSafeInteger(found.id)) return '';
  if (!loginPattern.test(task.askedBy)) return '';
  return `Co-authored-by: ${task.askedBy} <${found.id}+${task.askedBy}@users.noreply.github.com>`;
}
