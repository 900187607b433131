/** Shows a run in its progress comment, where the task was requested in a conversation. */
import type { Phase } from '../../../outcome.ts';
import type { Task } from '../../../task.ts';
import type { Attendance, AttendedRun } from '../../host.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { requestMark } from './comment.ts';
import { openProgressComment } from './progress-comment.ts';

/** Shows the run as it begins, and again whenever its phase changes; undefined without a conversation. */
export function watchProgress(
  { repository, github, log, input }: GitHubEnvironment,
  { id, task }: Pick<AttendedRun, 'id' | 'task'>,
  render: (task: Task, seen: readonly Phase[], runUrl: string) => string,
): Required<Pick<Attendance, 'onPhase' | 'close'>> | undefined {
  if (task.conversation === undefined) return undefined;
  const { conversation } = task;
  const comment = openProgressComment({ repository, github, log, conversation });
  const seen: Phase[] = ['INPUT'];
  const marker = requestMark(input, id);
  const show = () => comment.show({ body: render(task, seen, input.page), marker });
  show();
  return {
    onPhase: phase => {
      seen.push(phase);
      show();
    },
    close: () => comment.close(),
  };
}
