/** Shows a run in its progress comment, where the task was requested in a conversation. */

import type { Phase } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import { pageOf } from '../../../run/end-run.ts';
import type { OpenedRun, RunHooks } from '../../../run/stages.ts';
import type { GitHubEnvironment } from '../context/open-environment.ts';
import { requestMark } from '../conversation/comment.ts';
import { openProgressComment } from '../conversation/progress-comment.ts';

export interface ProgressWatch extends Required<Pick<RunHooks, 'onPhase'>> {
  /** Waits for what is still to be shown. */
  close(): Promise<void>;
}

/** Shows the run as it begins, and again whenever its phase changes; null without a conversation. */
export function watchProgress(
  { id, input }: Pick<OpenedRun, 'id' | 'input'>,
  { repository, github, log }: GitHubEnvironment,
  view: {
    readonly task: Task;
    readonly render: (task: Task, seen: readonly Phase[], runUrl: string) => string;
  },
): ProgressWatch | null {
  const { task, render } = view;
  if (task.conversation === undefined) return null;
  const { conversation } = task;
  const comment = openProgressComment({ repository, github, log, conversation });
  const seen: Phase[] = ['INPUT'];
  const marker = requestMark(input, id);
  const show = () => comment.show({ body: render(task, seen, pageOf(input)), marker });
  show();
  return {
    onPhase: phase => {
      seen.push(phase);
      show();
    },
    close: () => comment.close(),
  };
}
