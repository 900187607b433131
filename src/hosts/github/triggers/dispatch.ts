/** `repository_dispatch` ► the task in its payload. */

import type { Task } from '../../../task.ts';
import type { Planned } from '../../host.ts';
import { branchOf, quiet } from '../../planned-task.ts';
import type { Author } from '../api/github.ts';
import { checkAccess, type RepositoryContext } from '../auth/repository-context.ts';
import { findPersonsNo } from './look-first.ts';

/**
 * Serves the event. GitHub accepts it only from a token that can write contents, which authorises a
 * bot. A person is authorised like everywhere else, so the lists of the settings apply here, too.
 * @throws PhotonError `GITHUB_*`.
 */
export async function serveDispatch(
  context: RepositoryContext,
  { by }: { readonly by: Author },
  inputTask: Task,
): Promise<Planned> {
  const { access, reason } = await checkAccess(context, 'dispatch', { author: by, fork: false });
  if (access === 'ignore')
    return quiet(
      'NOT_AUTHORISED',
      `The sender of the event is not allowed to give tasks: ${reason}.`,
    );
  const task: Task = { ...inputTask, trigger: 'dispatch', askedBy: by.login };
  const rejected = await findPersonsNo(context, branchOf(task, context.settings));
  return rejected === null ? { task } : { task, refused: rejected };
}
