/** Reasons to leave a task alone, looked up before its run: somebody works on the issue, or rejected the task. */
import type { Code } from '../../../base/codes.ts';
import type { TaskFromTrigger, TaskRefusal } from '../../host.ts';
import { makeBranchName, refused } from '../../planned-task.ts';
import { type GitHub, readPages } from '../api/github.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { isOwn } from '../conversation/comment.ts';
import { findLastPull, type OwnPullsContext } from '../delivery/own-pulls.ts';

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
  return leave(
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
  return leave('PULL_REQUEST_OPEN', `Pull request #${last.number} of this task is still open.`);
}

interface IssueQuestion {
  readonly number: number;
  /** Author of the request. An issue that is assigned to them is free for Photon. */
  readonly askedBy: string;
  /** Login of Photon's own account; empty when there is none. */
  readonly photon: string;
  /** Pull requests of Photon's own, which do not count. */
  readonly ownPulls: readonly number[];
}

const maxPages = 5;

type Timeline = Readonly<
  Awaited<ReturnType<GitHub['rest']['issues']['listEventsForTimeline']>>['data']
>;

/**
 * Work on an issue that exists already: an assignee, an open pull request that says it closes the
 * issue, or a commit that closed it. A closed issue counts, too.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findWorkOnIssue(
  context: Pick<RepositoryContext, 'github' | 'repository'>,
  question: IssueQuestion,
): Promise<TaskRefusal | undefined> {
  const { github } = context;
  const where = { ...github.where, issue_number: question.number };
  const { data: issue } = await github.rest.issues.get(where);
  const mine = [question.askedBy, question.photon].map(login => login.toLowerCase());
  const other = (issue.assignees ?? []).find(a => !mine.includes(a.login.toLowerCase()));
  if (other !== undefined)
    return leave('WORK_IN_PROGRESS', `Issue #${question.number} is assigned to ${other.login}.`);
  const timeline = await readPages(maxPages, at =>
    github.rest.issues.listEventsForTimeline({ ...where, ...at }),
  );
  const commit = closingCommit(timeline);
  if (issue.state === 'closed')
    return leave(
      'WORK_IN_PROGRESS',
      `Issue #${question.number} is closed${commit === undefined ? '' : ` by commit ${commit}`}.`,
    );
  const pull = linkedPull(timeline, context.repository, question);
  return pull === undefined
    ? undefined
    : leave('WORK_IN_PROGRESS', `Pull request #${pull} is open for issue #${question.number}.`);
}

/** The commit that closed the issue, unless the issue was opened again. */
function closingCommit(timeline: Timeline): string | undefined {
  const last = timeline.findLast(e => e.event === 'closed' || e.event === 'reopened');
  const commit = last?.event === 'closed' && 'commit_id' in last ? last.commit_id : undefined;
  return typeof commit === 'string' ? commit.slice(0, 12) : undefined;
}

/** An open pull request of this repository, not Photon's, whose text says that it closes the issue. */
function linkedPull(
  timeline: Timeline,
  repository: string,
  { number, ownPulls }: IssueQuestion,
): number | undefined {
  const closes = new RegExp(
    `\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \\t]+(?:${RegExp.escape(repository)})?#${number}\\b`,
    'i',
  );
  for (const event of timeline) {
    if (event.event !== 'cross-referenced' || !('source' in event)) continue;
    const source = (event.source as { issue?: SourceIssue } | undefined)?.issue;
    const open = source?.pull_request != null && source.state === 'open';
    if (
      !open ||
      ownPulls.includes(source.number) ||
      !source.repository_url?.endsWith(`/${repository}`)
    )
      continue;
    if (closes.test(`${source.title}\n${source.body ?? ''}`)) return source.number;
  }
  return undefined;
}

interface SourceIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string;
  readonly state: string;
  readonly pull_request?: unknown;
  readonly repository_url?: string;
}

const leave = (code: Code, message: string) => refused('no_change', code, message);
