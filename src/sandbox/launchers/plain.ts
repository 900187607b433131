/** The plain launcher: no sandbox, only a clean environment, limits and a separate process group. */
import { join } from 'node:path';
import type { Programs } from '../../process/programs.ts';
import { type Launcher, limitLine } from './launcher.ts';

/** Launches commands without isolation; without limits, too, when there is no shell. */
export function plain({ paths }: Programs): Launcher {
  const limits = paths.sh === undefined ? [] : [paths.sh, '-c', `${limitLine}; exec "$@"`, 'sh'];
  return {
    name: 'plain',
    mounts: false,
    launch: (machine, command) => ({
      cwd: join(command.view.path, command.cwd),
      env: machine.env,
      accounts: false,
      argv: [...command.view.enter, ...limits, ...command.argv],
    }),
  };
}
