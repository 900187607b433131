/** `/photon status`: the tasks and pull requests of Photon in a conversation. */
import { codes } from '../../codes.ts';
import { isOwn, listComments, taskMark } from '../api/comment.ts';
import { listOwnPulls, type OwnPull } from '../events/own-pulls.ts';
import type { Refused } from '../events/planned-task.ts';
import type { Serving } from './command-context.ts';

const ended = /<!-- photon:end=([A-Z_]{3,40}) -->/;

/**
 * A row for each task: what Photon's comment says of it, and its last pull request.
 * @throws PhotonError `GITHUB_*`.
 */
export async function statusAnswer({ github, ground, command }: Serving): Promise<Refused> {
  const { repository, settings } = ground;
  const { number } = command.conversation;
  const pulls = await listOwnPulls(
    github,
    { repository, branchPrefix: settings.branchPrefix },
    number,
  );
  const self = await github.self();
  const comments = await listComments(github, repository, number);
  const said = new Map<string, string>();
  for (const comment of comments) {
    const task = isOwn(comment, self) ? taskMark.exec(comment.body ?? '')?.[1] : undefined;
    if (task !== undefined && /^(?:fix|issue)-/.test(task)) said.set(task, stateOf(comment.body));
  }
  const tasks = [...new Set([...said.keys(), ...pulls.map(p => p.taskId)])];
  const rows = tasks.map(task => row(task, said.get(task) ?? '–', pulls));
  const none = 'Photon has no task and no pull request in this conversation.';
  return {
    status: 'no_change',
    code: 'ANSWERED',
    message: codes.ANSWERED.meaning,
    answer: {
      heading: 'What Photon has here',
      lines: rows.length === 0 ? [none] : [],
      ...(rows.length === 0
        ? {}
        : { table: { head: ['task', 'last run', 'pull request', 'state'], rows } }),
    },
  };
}

/** How a comment of Photon says that its task stands: at work, or the code of its ending. */
function stateOf(body = ''): string {
  return ended.exec(body)?.[1] ?? 'at work';
}

function row(task: string, said: string, pulls: readonly OwnPull[]): readonly string[] {
  const last = pulls.find(p => p.taskId === task);
  return [task, said, last === undefined ? '–' : `#${last.number}`, last?.state ?? '–'];
}
