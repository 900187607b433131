/** `/photon undo`: closes an open pull request of Photon and deletes its branch. */
import type { TaskRefusal } from '../../host.ts';
import { refuseTask } from '../../planned-task.ts';
import type { GitHub } from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { readRef, swapRefs } from '../api/refs.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { isOwnHead } from './branch.ts';
import { listOwnPulls, type OwnPull } from './own-pulls.ts';

/**
 * Undoes the pull request that the command names, or else the newest open one of the conversation, or its newest one.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoCommand(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskRefusal> {
  const pulls = await listOwnPulls(context, command.conversation.number);
  const pull = choosePull(command, pulls);
  if (pull === undefined) return refuseTask('abstained', 'UNDO_NOTHING');
  return undoPull(context.github, pull);
}

function choosePull({ text }: ThreadRequest, pulls: readonly OwnPull[]): OwnPull | undefined {
  const named = /^#?(\d{1,9})\b/.exec(text.trim())?.[1];
  if (named !== undefined) return pulls.find(pull => pull.number === Number(named));
  return pulls.find(pull => pull.state === 'open') ?? pulls[0];
}

/**
 * Closes a pull request and deletes its branch. What was merged stays: GitHub reverts it. A branch that could not be
 * deleted is deleted by the next undo.
 * @throws PhotonError `GITHUB_*` before anything has changed.
 */
export async function undoPull(github: GitHub, pull: OwnPull): Promise<TaskRefusal> {
  const { number, branch, url } = pull;
  const { state, merged } = await readPullRequest(github, number);
  if (merged)
    return refuseTask(
      'abstained',
      'UNDO_MERGED',
      `Pull request #${number} was merged. The button Revert at ${url} opens a pull request that takes it back.`,
    );
  const isOpen = state === 'open';
  if (isOpen)
    await github.rest.pulls.update({ ...github.where, pull_number: number, state: 'closed' });
  const closed = `Pull request #${number} ${isOpen ? 'was' : 'is'} closed.`;
  try {
    const message = `${closed} ${await removeBranch(github, pull)}`;
    return {
      ...refuseTask('undone', 'UNDONE', message),
      delivered: {
        kind: 'pull-request',
        operation: 'closed',
        branch,
        pullRequestNumber: number,
        pullRequestUrl: url,
      },
    };
  } catch (error) {
    const { code, message } = githubError(error, github.signal);
    const kept = `Photon could not delete its branch ${branch}: ${message}`;
    const pulls = isOpen ? [{ number, change: 'closed', state: 'closed' } as const] : [];
    return {
      ...refuseTask('failed', code, `${closed} ${kept}`),
      left: { branches: [], pulls, unread: [`the branch ${branch}`] },
    };
  }
}

/** Deletes the branch if its head is Photon's unchanged commit. @returns a sentence about the result. */
async function removeBranch(github: GitHub, { branch, taskId }: OwnPull): Promise<string> {
  const name = `refs/heads/${branch}`;
  const sha = await readRef(github, name);
  if (sha === undefined) return `Its branch ${branch} had already been deleted.`;
  if (!(await isOwnHead(github, { sha, taskId })))
    return `Its branch ${branch} was kept, because it holds a commit that is not Photon's.`;
  const swapped = await swapRefs(github, [{ name, before: sha, after: null }]);
  if (swapped.ok) return `Its branch ${branch} was deleted.`;
  return swapped.now.get(name) === undefined
    ? `Its branch ${branch} had already been deleted.`
    : `Its branch ${branch} was kept, because somebody pushed to it in the meantime.`;
}
