/** A task that is to be run, and the branch that it has. */
import { createHash } from 'node:crypto';
import type { Code } from '../codes.ts';
import { removeHiddenText } from '../guard/hidden-text.ts';
import type { Status } from '../outcome.ts';
import type { Settings } from '../settings.ts';
import type { Task } from '../task.ts';
import type { GitHub } from './client.ts';
import { taskId } from './command-task.ts';
import type { EventRequest } from './event.ts';
import type { Row } from './maintenance/row.ts';

/** A task, or one that has ended before it began. */
export interface Planned {
  readonly task: Task | null;
  readonly refused?: { readonly status: Status; readonly code: Code; readonly message: string };
}

export interface TriggerOptions {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
  readonly settings: Settings;
  readonly repository: string;
  /** Branch that results go to unless a setting or a pull request says otherwise. */
  readonly baseRef: string;
  readonly askedBy: string;
  readonly baseCommit: string;
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
  readonly now: () => number;
  /** The row of a fleet's plan that this process carries out. */
  readonly row: Row | null;
}

/** The task of the input of that name. */
export function taskOfInput(options: TriggerOptions, prompt: string): Task {
  const clean = removeHiddenText(prompt);
  return {
    id: taskId('task', `${options.baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: clean.text,
    context: [],
    askedBy: options.askedBy,
    repository: options.repository,
    baseRef: options.baseRef,
    hiddenRemoved: clean.removed,
  };
}

/** `photon/<task id>`: the same task has the same branch. */
export function branchOf(task: Task, settings: Pick<Settings, 'branchPrefix'>): string {
  const id = /^[a-z0-9-]{1,60}$/.test(task.id)
    ? task.id
    : createHash('sha256').update(task.id).digest('hex').slice(0, 16);
  return `${settings.branchPrefix}${id}`;
}
