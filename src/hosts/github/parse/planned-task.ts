/** A task as a trigger makes it: ready for its run, or ended before it. */
import { type Code, codes } from '../../../base/codes.ts';
import type { LeftBehind } from '../../../base/left-behind.ts';
import type { CommandAnswer, Delivered, Status } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';

/** How a task ended before its run began. */
export interface Refused {
  readonly status: Status;
  readonly code: Code;
  readonly message: string;
  readonly commandAnswer?: CommandAnswer;
  readonly delivered?: Delivered;
  /** What changed although it failed. */
  readonly left?: LeftBehind | undefined;
}

/** A task to run, or one that ended before its run. */
export interface Planned {
  /** Null when there is nothing to run and nobody to answer. */
  readonly task: Task | null;
  readonly refused?: Refused | undefined;
}

/** A planned task that exists in any case, to run or to answer. */
export interface TaskFromTrigger extends Planned {
  readonly task: Task;
}

/** An ending with the meaning of its code, or with a more precise message. */
export function refused(
  status: Status,
  code: Code,
  message: string = codes[code].meaning,
): Refused {
  return { status, code, message };
}

/** Nothing happens and nobody is answered: there is no task, and so no conversation. */
export function quiet(code: Code, message?: string): Planned {
  return { task: null, refused: refused('no_change', code, message) };
}
