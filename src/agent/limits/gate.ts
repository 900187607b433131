/** May anything start now? The kill switch and the last day, before a task is looked at. Pure. */
import type { Code } from '../../codes.ts';
import type { Environment } from '../../process/environment.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * True when `PHOTON_DISABLED` is set to anything but a plain no; a workflow hands the repository
 * variable of that name on (`env: PHOTON_DISABLED: ${{ vars.PHOTON_DISABLED }}`).
 */
export function isDisabled(env: Environment): boolean {
  return !/^(|0|false|no|off)$/i.test(env.PHOTON_DISABLED?.trim() ?? '');
}

/** Why nothing may start at this moment (ms since the epoch); null when it may. */
export function decideStart({ stopAt }: Pick<Settings, 'stopAt'>, now: number): Code | null {
  return stopAt !== null && now >= stopAt ? 'STOPPED' : null;
}
