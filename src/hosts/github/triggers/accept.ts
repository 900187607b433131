/** `/photon accept`, and the end of a pull request that shows changes of records: both settle the pending changes. */
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { answered, refused } from '../../planned-task.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { type SettleRequest, settleRecords } from '../maintenance/settle-records.ts';
import type { CommentCommand } from '../parse/event.ts';

/**
 * Keeps the pending changes that this pull request shows, merged or not.
 * @throws PhotonError `GITHUB_*`.
 */
export async function acceptRecords(
  context: RepositoryContext,
  { conversation, author }: CommentCommand,
): Promise<TaskRefusal> {
  if (conversation.kind !== 'pull-request') return refused('abstained', 'ACCEPT_NOTHING');
  const request = { number: conversation.number, who: author.login, cause: 'accept' } as const;
  const { planned } = await settleTask(context, request);
  return planned.refused ?? refused('abstained', 'ACCEPT_NOTHING');
}

/**
 * Settles the pending changes of a pull request, as a task that ends before its run. `report` is false
 * when there is nothing that people need to know.
 * @throws PhotonError `GITHUB_*`.
 */
export async function settleTask(
  context: RepositoryContext,
  request: SettleRequest,
): Promise<{ readonly planned: TaskPlan; readonly report: boolean }> {
  const { number, who: askedBy } = request;
  const place = await context.memory();
  const { code, message, report } =
    place === undefined
      ? { code: 'RECORDS_NONE' as const, message: 'Memory is off.', report: false }
      : await settleRecords({ ...context, store: place.store, home: place.home }, request);
  const conversation = { kind: 'pull-request', number } as const;
  const about = { id: `records-${number}`, askedBy, conversation };
  return { report, planned: answered(context, about, refused('no_change', code, message)) };
}
