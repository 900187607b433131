/** `repository_dispatch` ► the task in its payload. */
import type { Task } from '../../task.ts';
import { decideAccess } from '../access.ts';
import type { Author } from '../author.ts';
import { authorise } from '../authorise.ts';
import { branchOf } from '../branch-of.ts';
import { findPersonsNo } from '../commands/look-first.ts';
import { type Planned, quiet, type TaskGround } from '../planned.ts';

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
  const { standing, reason } = await authorise(github, { repository, heard: triggers }, by);
  if (decideAccess('dispatch', standing, { fork: false, forks: triggers.forks }) === 'ignore')
    return quiet('NOT_AUTHORISED', `Whoever sent the event may not give a task: ${reason}.`);
  const task: Task = { ...made, trigger: 'dispatch', askedBy: by.login };
  const question = { repository, branchPrefix };
  const no = await findPersonsNo(github, question, branchOf(task, settings));
  return no === null ? { task } : { task, refused: no };
}
