/** Record changes that waited for a review, settled as a task that has ended before it began. */
import type { Task } from '../../task.ts';
import { type SettleRequest, settleRecords } from '../context/settle-records.ts';
import { type Planned, refused, type TaskGround } from '../events/planned-task.ts';

/**
 * Settles what waits; `tell` is false where there is nothing that anybody wants to hear.
 * @throws PhotonError `GITHUB_*`.
 */
export async function settleTask(
  { github, repository, baseRef, now, memory }: TaskGround,
  request: SettleRequest,
): Promise<{ readonly planned: Planned; readonly tell: boolean }> {
  const { number, who } = request;
  const task: Task = {
    id: `records-${number}`,
    trigger: 'comment',
    prompt: '',
    context: [],
    askedBy: who,
    repository,
    baseRef,
    hiddenRemoved: 0,
    conversation: { kind: 'pull-request', number },
  };
  const place = await memory();
  const closing = { github, repository, now };
  const { code, message, tell } =
    place === null
      ? { code: 'RECORDS_NONE' as const, message: 'Memory is off.', tell: false }
      : await settleRecords({ ...closing, store: place.store, home: place.home }, request);
  return { tell, planned: { task, refused: refused('no_change', code, message) } };
}
