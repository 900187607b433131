/** Whether a run may start now: the kill switch and the expiry date. Pure. */
import type { Code } from '../../base/codes.ts';
import type { Environment } from '../../process/environment.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * True when `PHOTON_DISABLED` is set to anything but a plain no. A workflow passes the repository
 * variable of that name (`env: PHOTON_DISABLED: ${{ vars.PHOTON_DISABLED }}`).
 */
export function isDisabled(env: Environment): boolean {
  return !/^(|0|false|no|off)$/i.test(env.PHOTON_DISABLED?.trim() ?? '');
}

/** Why no run may start at this time (ms since the epoch); undefined when it may. */
export function decideStart({ stopAt }: Pick<Settings, 'stopAt'>, now: number): Code | undefined {
  return stopAt !== undefined && now >= stopAt ? 'STOPPED' : undefined;
}
