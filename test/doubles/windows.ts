/** Windows without Windows: its platform, on a machine that holds these files and records what is started. */
import type { Platform } from '../../src/process/platform.ts';
import { windowsPlatform } from '../../src/process/platform-windows.ts';

export interface DoubleWindows {
  readonly platform: Platform;
  /** The programs of the system that were started, with their arguments. */
  readonly started: (readonly string[])[];
}

/** @param files their paths. Names have no case. */
export function windowsOf(files: readonly string[] = []): DoubleWindows {
  const known = new Set(files.map(file => file.toLowerCase()));
  const started: (readonly string[])[] = [];
  const platform = windowsPlatform({
    systemRoot: 'C:\\Windows',
    isFile: path => known.has(path.toLowerCase()),
    run: (file, args) => started.push([file, ...args]),
  });
  return { platform, started };
}
