/** The system of this machine: the only place that asks for its name. */
import { PhotonError } from '../base/codes.ts';

/** The name of the system. */
export const systemName: NodeJS.Platform = process.platform;

/** A folder that does not exist, and that nobody but an administrator could create. */
export const nowhere = '/nonexistent';

/** @throws PhotonError `PLATFORM_UNSUPPORTED` on every system but Linux and macOS. */
export function requireSystem(name: NodeJS.Platform): void {
  if (name !== 'linux' && name !== 'darwin') throw new PhotonError('PLATFORM_UNSUPPORTED');
}
