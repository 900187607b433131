/** `/photon status`: Photon's tasks and pull requests in a conversation. */
import type { Conversation } from '../../../base/task.ts';
import type { TaskRefusal } from '../../host.ts';
import { refused } from '../../planned-task.ts';
import type { RepositoryAccess, RepositoryContext } from '../auth/repository-context.ts';
import { isOwn, listAllComments, taskMark } from '../conversation/comment.ts';
import { listOwnPulls, type OwnPull } from '../delivery/own-pulls.ts';
import type { CommentCommand } from '../parse/event.ts';

const ended = /<!-- photon:end=([A-Z_]{3,40}) -->/;

/**
 * A table row for each task, with the state in Photon's comment and the last pull request.
 * @throws PhotonError `GITHUB_*`.
 */
export async function statusAnswer(
  context: RepositoryContext,
  { conversation }: CommentCommand,
): Promise<TaskRefusal> {
  const { number } = conversation;
  const pulls = await listOwnPulls(context, number);
  const states = await findStates(context, conversation);
  const tasks = [...new Set([...states.keys(), ...pulls.map(p => p.taskId)])];
  const rows = tasks.map(task => row(task, states.get(task) ?? '–', pulls));
  const none = 'Photon has no task and no pull request in this conversation.';
  return {
    ...refused('no_change', 'ANSWERED'),
    commandAnswer: {
      heading: 'Photon in this conversation',
      lines: rows.length === 0 ? [none] : [],
      table:
        rows.length === 0
          ? undefined
          : { head: ['task', 'last run', 'pull request', 'state'], rows },
    },
  };
}

/** The state of each task, by Photon's own comments. @throws PhotonError `GITHUB_*`. */
export async function findStates(
  context: RepositoryAccess,
  conversation: Conversation,
): Promise<ReadonlyMap<string, string>> {
  const { github } = context;
  const self = await github.self();
  const comments = await listAllComments(github, conversation);
  const states = new Map<string, string>();
  for (const comment of comments) {
    const task = isOwn(comment, self) ? taskMark.exec(comment.body ?? '')?.[1] : undefined;
    if (task !== undefined && /^(?:fix|issue)-/.test(task))
      states.set(task, findState(comment.body));
  }
  return states;
}

/** State of a task whose run has not ended. */
export const atWork = 'at work';

/** State of the task by Photon's comment: the code of its ending, or `atWork`. */
function findState(body = ''): string {
  return ended.exec(body)?.[1] ?? atWork;
}

function row(task: string, state: string, pulls: readonly OwnPull[]): readonly string[] {
  const last = pulls.find(p => p.taskId === task);
  return [task, state, last === undefined ? '–' : `#${last.number}`, last?.state ?? '–'];
}
