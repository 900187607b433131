/** Photon's own pull requests: those of a conversation, and the last one of a branch, which can be a reason to leave a task alone. */
import type { Settings } from '../../../settings/settings.ts';
import type { TaskFromTrigger, TaskRefusal } from '../../host.ts';
import { makeBranchName, refuseTask } from '../../planned-task.ts';
import { readPages } from '../api/github.ts';
import { listPulls, type PullSummary, readPullState } from '../api/pull-files.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { isOwn } from '../conversation/comment.ts';

export interface OwnPull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  /** Id of the task, from the name of the branch. */
  readonly taskId: string;
  readonly base: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly url: string;
}

/** What the search for own pull requests needs. */
interface OwnPullsContext extends Pick<RepositoryContext, 'github'> {
  readonly settings: Pick<Settings, 'branchPrefix'>;
}

/** Maximum number of pages of 100 pull requests that are searched, newest first. */
const maxPages = 5;

/**
 * Pull requests whose branch is in this repository, has Photon's prefix, and is named after a task of
 * this issue or pull request. A pull request of Photon's own counts for itself, too. Newest first.
 * @throws PhotonError `GITHUB_*`.
 */
export async function listOwnPulls(
  context: OwnPullsContext,
  number: number,
): Promise<readonly OwnPull[]> {
  const ofThread = new RegExp(`^(?:fix|issue)-${number}(?:-|$)`);
  const { rest, where } = context.github;
  const all = { ...where, state: 'all', sort: 'created', direction: 'desc' } as const;
  const listed = await readPages(maxPages, at => rest.pulls.list({ ...all, ...at }));
  return listed.flatMap(pull => {
    const own = asOwn(pull, context.settings.branchPrefix);
    return own !== undefined && (own.number === number || ofThread.test(own.taskId)) ? [own] : [];
  });
}

/**
 * The last pull request of a branch in any state; undefined when there was none.
 * @throws PhotonError `GITHUB_*`.
 */
async function findLastPull(
  context: OwnPullsContext,
  branch: string,
): Promise<OwnPull | undefined> {
  const [last] = await listPulls(context.github, branch, 'all');
  return last === undefined ? undefined : asOwn(last, context.settings.branchPrefix);
}

function asOwn(pull: PullSummary, prefix: string): OwnPull | undefined {
  const { head, base } = pull;
  if (head.repo?.id !== base.repo.id || !head.ref.startsWith(prefix)) return undefined;
  return {
    number: pull.number,
    branch: head.ref,
    sha: head.sha,
    base: base.ref,
    taskId: head.ref.slice(prefix.length),
    state: readPullState(pull),
    url: pull.html_url,
  };
}

/**
 * A person rejects a task by closing its pull request without a merge. A pull request that Photon
 * closed itself, for an undo or a failed delivery, does not count.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findRejection(
  context: OwnPullsContext,
  branch: string,
): Promise<TaskRefusal | undefined> {
  const last = await findLastPull(context, branch);
  if (last?.state !== 'closed') return undefined;
  const { github } = context;
  const where = { ...github.where, issue_number: last.number };
  const { data } = await github.rest.issues.get(where);
  if (data.closed_by && isOwn({ user: data.closed_by }, await github.self())) return undefined;
  return refuseTask(
    'no_change',
    'CLOSED_BEFORE',
    `Pull request #${last.number} of this task was closed without a merge.`,
  );
}

/** The same task, refused if a person rejected it earlier. @throws PhotonError `GITHUB_*`. */
export async function unlessRejected(
  context: OwnPullsContext,
  planned: TaskFromTrigger,
): Promise<TaskFromTrigger> {
  const rejected = await findRejection(context, makeBranchName(planned.task, context.settings));
  return rejected === undefined ? planned : { ...planned, refused: rejected };
}

/**
 * An open pull request of Photon for the task: a trigger that carries no text makes no second one.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findOwnOpen(
  context: OwnPullsContext,
  branch: string,
): Promise<TaskRefusal | undefined> {
  const last = await findLastPull(context, branch);
  if (last?.state !== 'open') return undefined;
  return refuseTask(
    'no_change',
    'PULL_REQUEST_OPEN',
    `Pull request #${last.number} of this task is still open.`,
  );
}
