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
import { formatMessage } from '../api/github-errors.ts';
import { readRef, swapNotes, swapRefs } from '../api/refs.ts';
import type { Rescue } from '../api/request-limit.ts';
import { type BranchOfTask, type BranchState, isOwnCommit, lookAtBranch } from './branch.ts';
import { clearStale } from './journal.ts';
import {
  applyMetadata,
  type Extras,
  type OpenedPull,
  openOrUpdatePull,
  startWorkflow,
} from './open-pull.ts';
import { putBack, removeMark, type SetBranch, setBranch, withLeft } from './set-branch.ts';

/** A commit and the pull request that it is for. */
interface Publication extends BranchOfTask {
  readonly baseRef: string;
  /** Title and body. They depend on the owner of the token, and on whether Photon starts a workflow because GitHub starts none. */
  readonly renderText: (by: Actor, startsWorkflow: boolean) => PullRequestText;
  /** False: Photon sets only the branch, and the outcome has a link that opens a pull request. */
  readonly opensPull?: boolean;
  readonly draft: boolean;
  readonly extras: Extras;
  /** Workflow that Photon starts when GitHub starts none; empty for none. */
  readonly dispatchWorkflow: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly rescue?: Rescue;
}

export interface PublishRequest extends TreeCommit, Publication {}

export interface PublishResult {
  readonly delivered: DeliveryResult;
  readonly notes: readonly string[];
}

/** A publication whose branch is set. */
interface Publishing {
  readonly github: GitHub;
  readonly request: Publication;
  readonly set: SetBranch;
}

/**
 * Publishes a patch on the base that it was verified on: first the objects, then branch and journal in
 * one change, then the pull request and its metadata. At last the journal entry is removed. A failure
 * restores the branch. A run that is killed leaves its mark in the journal, and the next run goes on
 * from there.
 * @throws PhotonError `PUBLISH_MISMATCH`, `BRANCH_TAKEN`, `BRANCH_MOVED`, `FORCE_PUSH_FORBIDDEN`,
 * `WORKFLOWS_FORBIDDEN`, `GITHUB_*`.
 */
export async function publishPatch(
  github: GitHub,
  request: PublishRequest,
): Promise<PublishResult> {
  return publishCommit(github, request, () => createCommit(github, request));
}

/**
 * The same with a commit from `make`, which is called after the look at the branch.
 * @throws PhotonError as `publishPatch`, and what `make` throws.
 */
export async function publishCommit(
  github: GitHub,
  request: Publication,
  make: () => Promise<RemoteCommit>,
): Promise<PublishResult> {
  requireSafeRef(request.branch);
  const state = await lookAtBranch(github, request);
  const { data } = await github.rest.repos.get(github.where);
  const { rescue } = request;
  const place = { nodeId: data.node_id, rescue };
  await clearStale(github, place, { pending: state.others, now: request.now });
  const made = await make();
  const kept = await findSame(github, state, made);
  const commit = kept ?? made;
  const opensPull = request.opensPull !== false;
  const { head: before } = state;
  const tried = { ...place, branch: request.branch, before, commit: commit.sha, opensPull };
  const to = { place, task: request, state, commit };
  const set = kept
    ? { ...to, mark: undefined, notes: [samePatch] }
    : await setBranch(github, to).catch(async (error: unknown) => {
        throw isUnknownEnd(error)
          ? await withLeft(github, error, { ...tried, end: 'unknown' })
          : error;
      });
  const publishing = { github, request, set };
  let opened: OpenedPull | undefined;
  try {
    opened = opensPull ? await openOrUpdate(publishing) : undefined;
    await requireArrival(publishing);
    return await (opened === undefined
      ? offerLink(publishing, data.html_url)
      : finish(publishing, opened));
  } catch (error) {
    const end = (await putBack(github, set)) ? ('restored' as const) : ('set' as const);
    const updated = opened?.operation === 'updated' ? opened.pull.number : undefined;
    throw await withLeft(github, error, { ...tried, commit: set.commit.sha, end, updated });
  }
}

const samePatch =
  'The branch already holds this patch on this base, so Photon made no new commit: approvals and checks stay.';

/** The head of a branch that already is what a new commit would make of it. */
async function findSame(
  github: GitHub,
  { head, pending }: BranchState,
  { tree, parents }: RemoteCommit,
): Promise<RemoteCommit | undefined> {
  // a publication that did not finish goes on from its mark
  if (head === undefined || pending.length > 0) return undefined;
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

function openOrUpdate(publishing: Publishing): Promise<OpenedPull> {
  const { github, request } = publishing;
  const { state, commit } = publishing.set;
  const { branch, baseRef, draft } = request;
  const { title, body } = request.renderText(commit.by, startsWorkflow(publishing));
  const place = { branch, baseRef };
  return openOrUpdatePull(github, { ...place, draft, title, body, known: state.pull });
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

/** Applies the metadata, starts a workflow if GitHub starts none, and removes the mark. None of these fails a run. */
async function finish(
  publishing: Publishing,
  { pull, operation, notes }: OpenedPull,
): Promise<PublishResult> {
  const { github, request, set } = publishing;
  const { state, commit } = set;
  const { branch, extras } = request;
  const about = { number: pull.number, nodeId: pull.node_id };
  const fresh = operation === 'created' || state.pending.length > 0;
  const withMetadata = await applyMetadata(github, { ...about, fresh }, extras);
  const workflow = needsWorkflow(set) ? request.dispatchWorkflow : '';
  const started = await startWorkflow(github, { workflow, branch, held: extras.held });
  if (started.length > 0 && startsWorkflow(publishing)) await correctBody(publishing, pull.number);
  const delivered: DeliveryResult = {
    kind: 'pull-request',
    branch,
    commit: commit.sha,
    operation: operation === 'updated' && isKept(set) ? 'none' : operation,
    commitsVerified: commit.verified,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.html_url,
  };
  return {
    delivered,
    notes: await closeJournal(github, set, [...notes, ...withMetadata, ...started]),
  };
}

/** Removes the mark. @returns all notes. */
async function closeJournal(
  github: GitHub,
  set: SetBranch,
  notes: readonly string[],
): Promise<readonly string[]> {
  const ended = await removeMark(github, set);
  return [...notes, ...ended, ...set.notes, ...swapNotes(github)];
}

/** True when the pull request says that Photon starts a workflow on its branch. */
function startsWorkflow({ request, set }: Publishing): boolean {
  const { dispatchWorkflow, extras } = request;
  return needsWorkflow(set) && dispatchWorkflow !== '' && !extras.held;
}

/** GitHub starts no workflow for a commit of its own token. A pull request that was there has had its own. */
function needsWorkflow(set: SetBranch): boolean {
  const hasRun = isKept(set) && set.state.pull !== undefined;
  return set.commit.by === 'github-token' && !hasRun;
}

/** True for a branch that was left as it was, because it held the patch. */
const isKept = ({ state, commit }: SetBranch) => commit.sha === state.head;

/** Corrects the text of the pull request after its workflow did not start. A failure is only logged. */
async function correctBody({ github, request, set }: Publishing, number: number): Promise<void> {
  const { body } = request.renderText(set.commit.by, false);
  await github.rest.pulls
    .update({ ...github.where, pull_number: number, body })
    .catch((error: unknown) =>
      github.log(
        `GitHub: Photon could not correct the text of #${number}: ${formatMessage(error)}`,
      ),
    );
}

/** Ends with the branch alone, and a link that opens the pull request. */
async function offerLink(publishing: Publishing, page: string): Promise<PublishResult> {
  const { github, request, set } = publishing;
  const { state, commit } = set;
  const { branch, baseRef } = request;
  const delivered: DeliveryResult = {
    kind: 'branch',
    branch,
    commit: commit.sha,
    commitsVerified: commit.verified,
    operation: isKept(set) ? 'none' : state.head === undefined ? 'created' : 'updated',
    compareUrl: `${page}/compare/${encodeURI(baseRef)}...${encodeURI(branch)}?expand=1`,
  };
  return { delivered, notes: await closeJournal(github, set, []) };
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
  const { data } = await github.rest.repos.get(github.where);
  const place = { nodeId: data.node_id, rescue: request.rescue };
  const commit = await createCommit(github, request);
  const change = { name, before: request.baseCommit, after: commit.sha, forward: true };
  const { branch, baseCommit: before } = request;
  const tried = { ...place, branch, before, commit: commit.sha, opensPull: false };
  const swapped = await swapRefs(github, place, [change]).catch(async (error: unknown) => {
    throw await withLeft(github, error, { ...tried, end: 'unknown' });
  });
  const notes = swapNotes(github);
  if (swapped.ok) return { ...published(request, { ...commit, operation: 'updated' }), notes };
  const head = swapped.now.get(name);
  const own = head === undefined ? undefined : await findOwn(github, request, head);
  return own === undefined ? 'moved' : published(request, { ...own, operation: 'none' });
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

function published(
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
