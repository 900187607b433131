/** Follows a run in its progress comment, where there is a conversation to show it in. */
import type { Walk } from '../agent/walk.ts';
import type { Phase } from '../outcome.ts';
import type { Task } from '../task.ts';
import type { Opened } from './open-run.ts';
import {
  openProgressComment,
  type ProgressComment,
  type ProgressText,
} from './progress-comment.ts';

type Render = (task: Task, seen: readonly Phase[], runUrl: string) => ProgressText;

/** Shows the run as it begins, and again whenever its phase changes; null when nobody would see it. */
export function watchProgress(
  walk: Walk,
  opened: Opened,
  render: Render,
): Pick<ProgressComment, 'close'> | null {
  const { task } = walk;
  if (task?.conversation === undefined || opened.input.delivery !== 'github') return null;
  const { repository, github, log } = opened;
  const comment = openProgressComment({
    ...{ repository, github, log },
    conversation: task.conversation,
  });
  const seen: Phase[] = ['INPUT'];
  const show = () => comment.show(render(task, seen, runUrl(opened)));
  walk.onPhase = phase => {
    seen.push(phase);
    show();
  };
  show();
  return comment;
}

/** Page of the workflow run; empty outside of Actions. */
function runUrl({ input }: Opened): string {
  const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: id } = input.env;
  return server && id && /^\d+$/.test(id) ? `${server}/${input.repository}/actions/runs/${id}` : '';
}
