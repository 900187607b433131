/** `/photon accept`: the record changes that a pull request shows are kept now (SPEC §8). */
import { type Refused, refused } from '../events/planned-task.ts';
import type { Serving } from './command-context.ts';
import { settleTask } from './settle-task.ts';

/**
 * Keeps what waits on this pull request, whether it is merged or not.
 * @throws PhotonError `GITHUB_*`.
 */
export async function acceptRecords({ ground, command }: Serving): Promise<Refused> {
  const { conversation, author } = command;
  if (conversation.kind !== 'pull-request') return refused('abstained', 'ACCEPT_NOTHING');
  const request = { number: conversation.number, who: author.login, cause: 'accept' } as const;
  const { planned } = await settleTask(ground, request);
  return planned.refused ?? refused('abstained', 'ACCEPT_NOTHING');
}
