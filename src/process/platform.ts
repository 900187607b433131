/** The systems that Photon runs on. */
import { PhotonError } from '../codes.ts';

/**
 * Commands, process groups and views need what Windows has not: `sh`, groups of processes, paths without a drive.
 * Programs of Photon that only read files, such as `photon audit`, do not need them.
 * @throws PhotonError `PLATFORM_UNSUPPORTED` on Windows.
 */
export function requirePlatform(platform: NodeJS.Platform): void {
  if (platform === 'win32') throw new PhotonError('PLATFORM_UNSUPPORTED');
}
