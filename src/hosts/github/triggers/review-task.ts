/** `/photon review`, or a pull request in a job with mode review ► the task of reviewing its diff. */
import type { Task } from '../../../base/task.ts';
import type { TaskFromTrigger, TaskPlan } from '../../host.ts';
import { quiet, refuseTask } from '../../planned-task.ts';
import { listPullFiles } from '../api/pull-files.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { renderFiles } from '../conversation/pull-background.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { taskOfCommand } from './command-task.ts';

/** Maximum characters of the diff that the model sees at once; it can read the files. */
const maxDiff = 40_000;

/**
 * The task of a review. The head, its fork and its time are judged as for every command.
 * @throws PhotonError `GITHUB_*`.
 */
export async function reviewTask(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskFromTrigger> {
  const planned = await taskOfCommand(context, command);
  const { task } = planned;
  if (command.conversation.kind !== 'pull-request')
    return { task, refused: refuseTask('abstained', 'REVIEW_NO_PULL_REQUEST') };
  if (planned.refused !== undefined) return planned;
  const { number } = command.conversation;
  const { github } = context;
  const files = await listPullFiles(github, {
    number,
    withholds: context.git.withholds,
  });
  // `readOutside` has shown what is hidden in each file
  const { text, removed } = renderFiles(context, files, maxDiff);
  const shown = {
    label: context.taskTexts('diff_label', {}),
    author: command.issue.author.login,
    text,
  };
  return {
    task: {
      ...task,
      context: [...task.context, shown],
      hiddenRemoved: task.hiddenRemoved + removed,
      review: { number, lines: files.map(({ path, ranges }) => ({ path, ranges })) },
    },
  };
}

/**
 * A review that the workflow asks for on a pull request. It has no conversation: the review is its only answer.
 * A job of `pull_request_target` holds secrets, so it never works on the code of a fork.
 */
export async function reviewOfEvent(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan> {
  const planned = await reviewTask(context, command);
  const { conversation: _conversation, ...rest } = planned.task;
  const task: Task = rest;
  if (planned.refused?.code === 'HEAD_MOVED') return quiet('RUN_OUTDATED');
  if (task.headBranch?.fork === true && context.input.event.name === 'pull_request_target')
    return { task, refused: refuseTask('failed', 'FORK_PULL_REQUEST') };
  return planned.refused === undefined ? { task } : { task, refused: planned.refused };
}
