/** An issue that was labelled or assigned, or a pull request that was labelled ► its task. */
import type { Task } from '../../../base/task.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { makeBranchName, notAllowed, quiet, refuseTask } from '../../planned-task.ts';
import { type GitHub, readPages } from '../api/github.ts';
import { checkAccess } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { findRejection, listOwnPulls, type OwnPull } from '../delivery/own-pulls.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { taskOfCommand } from './command-task.ts';
import { beginByLabel } from './keep-green.ts';

/**
 * Serves a label or an assignment as a `fix` command without words, if the settings name it and its author is allowed to give
 * tasks. An issue that somebody already works on is left alone.
 * @throws PhotonError `GITHUB_*`.
 */
export async function serveLabel(
  context: RepositoryContext,
  request: ThreadRequest,
  cause: 'label' | 'assignment',
): Promise<TaskPlan> {
  const { label, assignee, keepGreenLabel } = context.settings.triggers;
  const { name = '', author } = request;
  const isNamed = (wanted: string) => wanted !== '' && wanted.toLowerCase() === name.toLowerCase();
  const onPull = request.conversation.kind === 'pull-request';
  const starts = isNamed(cause === 'label' ? label : assignee);
  if (!starts && !(onPull && isNamed(keepGreenLabel)))
    return quiet('EVENT_NOT_SERVED', `This ${cause} does not start a run.`);
  const { access, reason } = await checkAccess(context, cause, { author, fork: false });
  if (access === 'ignore') return notAllowed(`The author of the ${cause}`, reason);
  if (!starts) return beginByLabel(context, request);
  const planned = await taskOfCommand(context, request);
  if (onPull || planned.refused !== undefined) return planned;
  const left = await lookFirst(context, request, planned.task);
  return left === undefined ? planned : { task: planned.task, refused: left };
}

/** An open or rejected pull request of Photon's, or work of other people. */
async function lookFirst(
  context: RepositoryContext,
  request: ThreadRequest,
  task: Task,
): Promise<TaskRefusal | undefined> {
  const own = await listOwnPulls(context, request.issue.number);
  const open = own.find(p => p.state === 'open');
  if (open !== undefined)
    return refuseTask(
      'no_change',
      'PULL_REQUEST_OPEN',
      `Pull request #${open.number} of Photon is open for this issue.`,
    );
  const rejected = await findRejection(context, makeBranchName(task, context.settings));
  return rejected ?? findWorkOnIssue(context, request, own);
}

const maxPages = 5;

type Timeline = Readonly<
  Awaited<ReturnType<GitHub['rest']['issues']['listEventsForTimeline']>>['data']
>;

/**
 * Work on an issue that exists already: an assignee, or an open pull request that says it closes the issue. A closed issue
 * counts, too.
 * @throws PhotonError `GITHUB_*`.
 */
async function findWorkOnIssue(
  { github, repository, settings }: RepositoryContext,
  { issue: { number }, author }: ThreadRequest,
  own: readonly OwnPull[],
): Promise<TaskRefusal | undefined> {
  const where = { ...github.where, issue_number: number };
  const { data: issue } = await github.rest.issues.get(where);
  // an issue that is assigned to who asks, or to Photon's own account, is free for Photon
  const mine = [author.login, settings.triggers.assignee].map(login => login.toLowerCase());
  const other = (issue.assignees ?? []).find(a => !mine.includes(a.login.toLowerCase()));
  if (other !== undefined) return inProgress(`Issue #${number} is assigned to ${other.login}.`);
  if (issue.state === 'closed') return inProgress(`Issue #${number} is closed.`);
  const timeline = await readPages(maxPages, at =>
    github.rest.issues.listEventsForTimeline({ ...where, ...at }),
  );
  const ownPulls = own.map(p => p.number);
  const pull = linkedPull(timeline, repository, { number, ownPulls });
  return pull === undefined
    ? undefined
    : inProgress(`Pull request #${pull} is open for issue #${number}.`);
}

const inProgress = (message: string) => refuseTask('no_change', 'WORK_IN_PROGRESS', message);

/** An open pull request of this repository, not Photon's, whose text says that it closes the issue. */
function linkedPull(
  timeline: Timeline,
  repository: string,
  { number, ownPulls }: { readonly number: number; readonly ownPulls: readonly number[] },
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
