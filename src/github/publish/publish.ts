/** The verified patch ► a pull request, through the API alone; nothing is visible until all of it is. */
import { PhotonError } from '../../codes.ts';
import type { Delivered } from '../../outcome.ts';
import {
  type Actor,
  createCommit,
  type MadeCommit,
  type TreeCommit,
} from '../api/commit-objects.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { messageOf, withCodes } from '../api/github-errors.ts';
import { clearStale } from '../api/journal.ts';
import { readRef } from '../api/refs.ts';
import type { Rescue } from '../api/request-limit.ts';
import { swapNotes } from '../api/swap-refs.ts';
import { type BranchOfTask, lookAtBranch } from './branch.ts';
import { startWorkflow } from './continuous-integration.ts';
import { applyMetadata, type Extras } from './extras.ts';
import { type OpenedPull, openOrUpdatePull } from './open-pull.ts';
import { putBack, removeMark, type SetBranch, setBranch } from './set-branch.ts';

export { findOpenPullRequest, isOwnHead } from './branch.ts';

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** What became of the workflow that Photon starts where GitHub starts none. */
export type WorkflowStart = 'none' | 'to-start' | 'not-started';

/** A commit on its way to a pull request, whoever makes it. */
export interface Publication extends BranchOfTask {
  readonly baseRef: string;
  /** Title and body, which tell whose token it is where that matters. */
  readonly words: (by: Actor, workflow: WorkflowStart) => PullRequestText;
  /** False: the branch alone is set, and the outcome has a link that opens a pull request. */
  readonly opensPull?: boolean;
  readonly draft: boolean;
  readonly extras: Extras;
  /** Workflow to start where GitHub starts none; empty for none. */
  readonly dispatchWorkflow: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly rescue?: Rescue;
}

export interface PublishRequest extends TreeCommit, Publication {}

export interface Published {
  readonly delivered: Delivered;
  readonly notes: readonly string[];
}

/** One publication, with what it has come to. */
interface Way {
  readonly github: GitHub;
  readonly request: Publication;
  readonly set: SetBranch;
}

/**
 * Publishes a patch on the base that it was verified on. Objects first, then branch and journal in
 * one swap, then the pull request and its extras, then the journal is closed. A failure puts the
 * branch back; a run that is killed leaves its mark in the journal, and the next one goes on from it.
 * @throws PhotonError `PUBLISH_MISMATCH`, `BRANCH_TAKEN`, `BRANCH_MOVED`, `FORCE_PUSH_FORBIDDEN`,
 * `WORKFLOWS_FORBIDDEN`, `GITHUB_*`.
 */
export async function publishPatch(github: GitHub, request: PublishRequest): Promise<Published> {
  const where = splitRepository(request.repository);
  return publishCommit(github, request, () => createCommit(github, where, request));
}

/**
 * The same with a commit that `make` brings; it is called when the branch has been looked at.
 * @throws PhotonError as `publishPatch`, and what `make` throws.
 */
export async function publishCommit(
  github: GitHub,
  request: Publication,
  make: () => Promise<MadeCommit>,
): Promise<Published> {
  requireSafeRef(request.branch);
  return withCodes(github, async () => {
    const state = await lookAtBranch(github, request);
    const { data } = await github.rest.repos.get(splitRepository(request.repository));
    const { repository, rescue } = request;
    const place = { repository, nodeId: data.node_id, rescue };
    await clearStale(github, place, { pending: state.others, now: request.now });
    const commit = await make();
    const set = await setBranch(github, { place, task: request, state, commit });
    const way = { github, request, set };
    try {
      const opened = request.opensPull === false ? null : await openOrUpdate(way);
      await requireArrival(way);
      return await (opened === null ? offer(way, data.html_url) : finish(way, opened));
    } catch (error) {
      await putBack(github, set);
      throw error;
    }
  });
}

function requireSafeRef(branch: string): void {
  const safe = /^[a-z0-9][a-z0-9/_.-]*$/.test(branch) && !/\.\.|\/\/|\.lock$|[/.]$/.test(branch);
  if (!safe) throw new PhotonError('SETTING_INVALID', `branch "${branch}" cannot be used`);
}

function openOrUpdate(way: Way): Promise<OpenedPull> {
  const { github, request } = way;
  const { state, commit } = way.set;
  const { repository, branch, baseRef, draft } = request;
  const { title, body } = request.words(commit.by, isStarted(way) ? 'to-start' : 'none');
  const place = { repository, branch, baseRef };
  return openOrUpdatePull(github, { ...place, draft, title, body, known: state.pull });
}

/** A push that did not arrive is an ending with a name. */
async function requireArrival({ github, request, set: { commit } }: Way): Promise<void> {
  const sha = await github.readWritten(
    () => readRef(github, request.repository, `refs/heads/${request.branch}`),
    found => found === commit.sha,
  );
  if (sha === commit.sha) return;
  const what = `${request.branch} is at ${sha ?? 'nothing'} instead of ${commit.sha}.`;
  throw new PhotonError('PUBLISH_MISMATCH', what);
}

/** Extras, a workflow where GitHub starts none, and the end of the mark: none fails a run. */
async function finish(way: Way, { pull, operation, notes }: OpenedPull): Promise<Published> {
  const { github, request, set } = way;
  const { state, commit } = set;
  const { repository, branch, extras } = request;
  const about = { repository, number: pull.number, nodeId: pull.node_id };
  const fresh = operation === 'created' || state.pending.length > 0;
  const withMetadata = await applyMetadata(github, { ...about, fresh }, extras);
  const workflow = commit.by === 'github-token' ? request.dispatchWorkflow : '';
  const started = await startWorkflow(github, { repository, workflow, branch, held: extras.held });
  if (started.length > 0 && isStarted(way)) await takeBack(way, pull.number);
  const delivered: Delivered = {
    kind: 'pull-request',
    branch,
    commit: commit.sha,
    operation,
    commitsVerified: commit.verified,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.html_url,
  };
  return { delivered, notes: await endOf(github, set, [...notes, ...withMetadata, ...started]) };
}

/** The end of the mark, and all that is to be told. */
async function endOf(
  github: GitHub,
  set: SetBranch,
  notes: readonly string[],
): Promise<readonly string[]> {
  const ended = await removeMark(github, set);
  return [...notes, ...ended, ...set.notes, ...swapNotes(github)];
}

/** Does the pull request say that a workflow is started on its branch? */
function isStarted({ request, set: { commit } }: Way): boolean {
  const { dispatchWorkflow, extras } = request;
  return commit.by === 'github-token' && dispatchWorkflow !== '' && !extras.held;
}

/** The pull request no longer says that a workflow was started; a failure here is told in the log. */
async function takeBack({ github, request, set }: Way, number: number): Promise<void> {
  const { body } = request.words(set.commit.by, 'not-started');
  const where = { ...splitRepository(request.repository), pull_number: number };
  await github.rest.pulls
    .update({ ...where, body })
    .catch((error: unknown) =>
      github.log(`GitHub: #${number} keeps its text: ${messageOf(error)}`),
    );
}

/** The branch stands; whoever wants the pull request opens it with the link. */
async function offer(way: Way, page: string): Promise<Published> {
  const { github, request, set } = way;
  const { state, commit } = set;
  const { branch, baseRef } = request;
  const delivered: Delivered = {
    kind: 'branch',
    branch,
    commit: commit.sha,
    commitsVerified: commit.verified,
    operation: state.head === null ? 'created' : 'updated',
    compareUrl: `${page}/compare/${encodeURI(baseRef)}...${encodeURI(branch)}?expand=1`,
  };
  return { delivered, notes: await endOf(github, set, []) };
}
