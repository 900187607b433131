/** `repository_dispatch` ► the task in its payload. */
import type { Task } from '../../task.ts';
import type { Author } from '../api/github.ts';
import { decideAccess } from '../auth/access.ts';
import { authorise } from '../auth/authorise.ts';
import { branchOf } from './branch-of.ts';
import { findPersonsNo } from './look-first.ts';
import { type Planned, quiet, type TaskGround } from './planned-task.ts';

/**
 * GitHub takes this event only from a token that may write contents: that is a bot's authorisation.
 * A person is asked about as everywhere else, so that the lists hold for them here, too.
 * @throws PhotonError `GITHUB_*`.
 */
export async function serveDispatch(
  ground: TaskGround,
  { by }: { readonly by: Author },
  made: Task,
): Promise<Planned> {
  const { settings, repository } = ground;
  const { triggers, branchPrefix } = settings;
  const github = await ground.github();
  const { role, reason } = await authorise(github, { repository, allowedActors: triggers }, by);
  if (decideAccess('dispatch', role, { fork: false, forks: triggers.forks }) === 'ignore')
    return quiet('NOT_AUTHORISED', `Whoever sent the event may not give a task: ${reason}.`);
  const task: Task = { ...made, trigger: 'dispatch', askedBy: by.login };
  const question = { repository, branchPrefix };
  const no = await findPersonsNo(github, question, branchOf(task, settings));
  return no === null ? { task } : { task, refused: no };
}
