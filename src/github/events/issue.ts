/** An issue that was labelled or assigned ► the task of resolving it. */
import { removeHiddenText } from '../../guard/hidden-text.ts';
import type { Task } from '../../task.ts';
import type { Author, GitHub } from '../api/github.ts';
import { decideAccess } from '../auth/access.ts';
import { authorise } from '../auth/authorise.ts';
import { branchOf } from './branch-of.ts';
import { threadText, untilOf } from './command-task.ts';
import type { IssueRequest, Thread } from './event.ts';
import { findPersonsNo, findWorkOnIssue, type LeftAlone } from './look-first.ts';
import { listOwnPulls } from './own-pulls.ts';
import { type Planned, quiet, refused, type TaskGround } from './planned-task.ts';

/**
 * Serves a label or an assignment, when it is the one of the settings and by somebody who may. What
 * others have begun is left alone.
 * @throws PhotonError `GITHUB_*`.
 */
export async function serveIssue(ground: TaskGround, request: IssueRequest): Promise<Planned> {
  const { settings, repository } = ground;
  const { triggers } = settings;
  const wanted = request.cause === 'label' ? triggers.label : triggers.assignee;
  if (wanted === '' || wanted.toLowerCase() !== request.name.toLowerCase())
    return quiet('EVENT_NOT_SERVED', `The ${request.cause} is not the one that starts a run.`);
  const github = await ground.github();
  const { role, reason } = await authorise(
    github,
    { repository, allowedActors: triggers },
    request.by,
  );
  if (decideAccess(request.cause, role, { fork: false, forks: triggers.forks }) === 'ignore')
    return quiet('NOT_AUTHORISED', `Whoever set the ${request.cause} may not: ${reason}.`);
  const { issue: thread, by, cause } = request;
  const planned = await issueTask(ground, { thread, by, cause });
  if (planned.refused !== undefined || planned.task === null) return planned;
  const left = await lookFirst(github, ground, { request, task: planned.task });
  return left === null ? planned : { task: planned.task, refused: left };
}

export interface IssueTrigger {
  readonly thread: Thread;
  readonly by: Author;
  readonly cause: 'label' | 'assignment';
}

/** The task of an issue; its words are those at the moment of the event. */
export async function issueTask(
  ground: TaskGround,
  { thread, by, cause }: IssueTrigger,
): Promise<Planned> {
  const { settings, repository, baseRef } = ground;
  const { untrustedText, triggers } = settings;
  const shown = await threadText(
    await ground.github(),
    { ...thread, label: 'Issue' },
    { repository, untrustedText, by },
  );
  const context = shown.map(c => ({ ...c, ...removeHiddenText(c.text) }));
  const until = untilOf({ verb: 'fix' }, triggers);
  const task: Task = {
    id: `issue-${thread.number}`,
    trigger: cause,
    askedBy: by.login,
    repository,
    baseRef,
    title: removeHiddenText(thread.title).text,
    prompt: 'Resolve the issue described below.',
    context: context.map(({ label, author, text }) => ({ label, author, text })),
    conversation: { kind: 'issue', number: thread.number },
    hiddenRemoved: context.reduce((sum, c) => sum + c.removed, 0),
    ...(until === null ? {} : { until }),
  };
  return task.context.length === 0
    ? { task, refused: refused('abstained', 'TASK_EMPTY') }
    : { task };
}

/** An open or turned-down pull request of Photon's, or work of others. */
async function lookFirst(
  github: GitHub,
  { settings, repository }: TaskGround,
  { request, task }: { readonly request: IssueRequest; readonly task: Task },
): Promise<LeftAlone | null> {
  const question = { repository, branchPrefix: settings.branchPrefix };
  const { number } = request.issue;
  const own = await listOwnPulls(github, question, number);
  const open = own.find(p => p.state === 'open');
  if (open !== undefined)
    return {
      status: 'no_change',
      code: 'PULL_REQUEST_OPEN',
      message: `Pull request #${open.number} of Photon is open for this issue.`,
    };
  const no = await findPersonsNo(github, question, branchOf(task, settings));
  if (no !== null) return no;
  return findWorkOnIssue(github, {
    repository,
    number,
    askedBy: request.by.login,
    photon: settings.triggers.assignee,
    ownPulls: own.map(p => p.number),
  });
}
