/** The branch of a task. Pure. */
import { createHash } from 'node:crypto';
import type { Settings } from '../../settings/settings.ts';

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
