/** The task of the input of that name. Pure. */
import { removeHiddenText } from '../../guard/hidden-text.ts';
import type { Task } from '../../task.ts';
import { taskId, untilOf } from './command-task.ts';
import type { TaskGround } from './planned-task.ts';

/** The same words on the same branch are the same task. */
export function taskOfInput(options: TaskGround, prompt: string): Task {
  const clean = removeHiddenText(prompt);
  // at a terminal whoever asks sees the patch before it is applied
  const local = options.repository === '';
  const { skills } = options.input.event;
  const until = local ? null : untilOf({ verb: 'fix' }, options.settings.triggers);
  return {
    id: taskId('task', `${options.baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: clean.text,
    context: [],
    askedBy: options.askedBy,
    repository: options.repository,
    baseRef: options.baseRef,
    hiddenRemoved: clean.removed,
    ...(skills === undefined ? {} : { skills }),
    ...(until === null ? {} : { until }),
  };
}
