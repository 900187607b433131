/** `/photon approve DIGEST`: a person's approval of exactly one plan. */
import type { Code } from '../../../base/codes.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { refused } from '../../planned-task.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { authorise } from '../auth/authorise.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { findPlan, takePlan, type WaitingPlan } from '../delivery/approval.ts';
import type { CommentCommand } from '../parse/event.ts';

/**
 * The task of an approved plan, or the reason why there is none. The digest must belong to a plan that
 * waits in this conversation, the author of its task must still be allowed to give tasks, and the code
 * must be the one that the plan was made for.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvePlan(
  context: RepositoryContext,
  command: CommentCommand,
): Promise<TaskPlan | TaskRefusal> {
  const { repository, settings } = context;
  const { approveByOther } = settings.triggers;
  const { github } = context;
  const digest = (/^[0-9a-f]{20}\b/i.exec(command.text.trim())?.[0] ?? '').toLowerCase();
  const waiting = await findPlan(github, digest, {
    repository,
    number: command.conversation.number,
    // without a bot's signature a writer could push a plan in another person's name, and approve it
    byBot: approveByOther,
  });
  if (waiting === undefined || !(await mayAsk(context, waiting)))
    return refused('abstained', 'APPROVAL_UNKNOWN');
  const { task, plan, baseCommit } = waiting;
  const by = command.author.login;
  if (approveByOther && by.toLowerCase() === task.askedBy.toLowerCase())
    return refused('abstained', 'APPROVAL_BY_ASKER');
  if (baseCommit !== context.baseCommit) return refused('abstained', 'APPROVAL_OUTDATED');
  const stale = await staleHead(context, waiting);
  if (stale !== undefined) return refused('abstained', stale);
  const { data } = await github.rest.repos.get(github.where);
  if (!(await takePlan(github, { nodeId: data.node_id }, waiting)))
    return refused('abstained', 'APPROVAL_UNKNOWN');
  const { until: _until, ...rest } = task;
  return { task: { ...rest, approved: { plan, digest, by } } };
}

/** True when the author of the task is still allowed to give tasks. */
async function mayAsk(context: RepositoryContext, { task }: WaitingPlan): Promise<boolean> {
  const asker = { login: task.askedBy, id: 0, type: getAccountType(task.askedBy) };
  return (await authorise(context, asker)).allowed;
}

function getAccountType(login: string): string {
  return login.endsWith('[bot]') ? 'Bot' : 'User';
}

/** The head of a pull request must still be the commit that the plan was made for. */
async function staleHead(
  context: RepositoryContext,
  { task }: WaitingPlan,
): Promise<Code | undefined> {
  const { headBranch } = task;
  if (headBranch === undefined) return undefined;
  const pull = await readPullRequest(context.github, headBranch.number);
  if (pull.state !== 'open') return 'PULL_REQUEST_CLOSED';
  return pull.head.sha === headBranch.sha ? undefined : 'APPROVAL_OUTDATED';
}
