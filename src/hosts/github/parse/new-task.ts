/** What every new task needs: its id, its branch, and where its run stops. Pure. */

import { createHash } from 'node:crypto';
import type { Task } from '../../../base/task.ts';
import type { Settings, TriggerSettings } from '../../../settings/settings.ts';
import type { Verb } from './verbs.ts';

/** `fix-12-1a2b3c4d`: the same text in the same place is the same task. */
export function taskId(prefix: string, text: string): string {
  return `${prefix}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** `photon/<task id>`: the same task has the same branch. */
export function branchOf(
  task: { readonly id: string },
  settings: Pick<Settings, 'branchPrefix'>,
): string {
  const id = /^[a-z0-9-]{1,60}$/.test(task.id)
    ? task.id
    : createHash('sha256').update(task.id).digest('hex').slice(0, 16);
  return `${settings.branchPrefix}${id}`;
}

/** Where the run of this command stops; null when it runs to its end. */
export function untilOf(
  verb: Verb | 'unknown',
  { approve }: Pick<TriggerSettings, 'approve'>,
): NonNullable<Task['until']> | null {
  if (verb === 'plan') return 'plan';
  if (verb === 'ask') return 'answer';
  if (verb === 'review') return 'review';
  return approve === 'required' ? 'approval' : null;
}
