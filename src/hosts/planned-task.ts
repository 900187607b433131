/** A task as a trigger makes it: its name and its branch, ready for its run or ended before it. Pure. */
import { type Code, codes } from '../base/codes.ts';
import { digest } from '../base/digest.ts';
import type { Status } from '../base/outcome.ts';
import { sum } from '../base/plural.ts';
import type { ContextText, Task } from '../base/task.ts';
import { type OutsideSource, readOutside } from '../guard/content/outside-text.ts';
import type { Settings } from '../settings/settings.ts';
import type { TaskContext, TaskFromTrigger, TaskPlan, TaskRefusal } from './host.ts';

/** `fix-12-1a2b3c4d`: the same text in the same place is the same task. */
export function taskId(prefix: string, text: string): string {
  return `${prefix}-${digest(text).slice(0, 8)}`;
}

/** `photon/<task id>`: the same task has the same branch. */
export function makeBranchName(
  task: { readonly id: string },
  settings: Pick<Settings, 'branchPrefix'>,
): string {
  const id = /^[a-z0-9-]{1,60}$/.test(task.id) ? task.id : digest(task.id).slice(0, 16);
  return `${settings.branchPrefix}${id}`;
}

/** Texts of others as the model may see them, and how many hidden characters were removed from them. */
export function cleanTexts(source: OutsideSource, texts: readonly ContextText[]) {
  const clean = texts.map(each => ({ ...each, ...readOutside(source, each.text) }));
  return {
    context: clean.map(({ label, author, text }) => ({ label, author, text })),
    removed: sum(clean.map(each => each.removed)),
  };
}

/** An ending with the meaning of its code, or with a more precise message. */
export function refuseTask(
  status: Status,
  code: Code,
  message: string = codes[code].meaning,
): TaskRefusal {
  return { status, code, message };
}

/** A task that ends before its run, with an answer in its conversation. */
export function answerTask(
  { repository, baseRef }: Pick<TaskContext, 'repository' | 'baseRef'>,
  about: Pick<Task, 'id' | 'askedBy' | 'conversation'>,
  result: TaskRefusal,
): TaskFromTrigger {
  const empty = { trigger: 'comment', prompt: '', context: [], hiddenRemoved: 0 } as const;
  return { task: { ...empty, ...about, repository, baseRef }, refused: result };
}

/** Nothing happens and nobody is answered: there is no task, and so no conversation. */
export function quiet(code: Code, message?: string): TaskPlan {
  return { task: undefined, refused: refuseTask('no_change', code, message) };
}

/** The same for somebody who may not give tasks. */
export const notAllowed = (who: string, reason: string) =>
  quiet('NOT_AUTHORISED', `${who} is not allowed to give tasks: ${reason}.`);
