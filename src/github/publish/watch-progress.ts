/** Follows a run in its progress comment, where there is a conversation to show it in. */
import { pageOf } from '../../agent/run/end-run.ts';
import type { Walk } from '../../agent/run/run-context.ts';
import type { Phase } from '../../outcome.ts';
import type { Task } from '../../task.ts';
import { requestMark } from '../api/comment.ts';
import type { Opened } from '../context/open-run.ts';
import { openProgressComment, type ProgressComment } from './progress-comment.ts';

type Render = (task: Task, seen: readonly Phase[], runUrl: string) => string;

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
  const marker = requestMark(opened.input, walk.id);
  const show = () => comment.show({ body: render(task, seen, pageOf(opened.input)), marker });
  walk.onPhase = phase => {
    seen.push(phase);
    show();
  };
  show();
  return comment;
}
