/** The platform of this machine: the only place that asks for the name of the system, besides those that record it. */
import { PhotonError } from '../base/codes.ts';
import type { Platform } from './platform.ts';
import { posixPlatform } from './platform-posix.ts';
import { windowsMachine, windowsPlatform } from './platform-windows.ts';

/** The name of the system. */
export const systemName: NodeJS.Platform = process.platform;

/** What differs on this system. */
export const thisPlatform: Platform = getPlatform(systemName);

/** @throws PhotonError `PLATFORM_UNSUPPORTED` on a system that Photon was not written for. */
export function requirePlatform(name: NodeJS.Platform): void {
  if (!['linux', 'darwin', 'win32'].includes(name)) throw new PhotonError('PLATFORM_UNSUPPORTED');
}

/** What differs on a system. */
export function getPlatform(name: NodeJS.Platform): Platform {
  return name === 'win32' ? windowsPlatform(windowsMachine(process.env.SystemRoot)) : posixPlatform;
}
