/** Reads the user's own configuration at the terminal, never a file of the repository that the run works on. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../../process/environment.ts';
import { isWithin } from '../files/locate.ts';
import { readNamedFile } from '../files/read-foreign.ts';

export interface OwnConfig {
  readonly path: string;
  readonly text: string;
}

/**
 * `photon/config.json` in `XDG_CONFIG_HOME`, by default `~/.config`. Undefined when it does not exist, or when it
 * lies in the checkout `top`, which happens when the home folder of a container is the repository.
 * @throws PhotonError `FILE_UNREADABLE`.
 */
export function readOwnConfig(env: Environment, top: string): OwnConfig | undefined {
  const named = env.XDG_CONFIG_HOME ?? '';
  const home = env.HOME ?? '';
  // the XDG specification says to ignore a relative path; it would mean the current folder
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.config') : undefined;
  if (base === undefined) return undefined;
  const path = join(base, 'photon', 'config.json');
  const text = readNamedFile(path);
  if (text === undefined || isWithin(realpathSync(path), realpathSync(top)) || isWithin(path, top))
    return undefined;
  return { path, text };
}
