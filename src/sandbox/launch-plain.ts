/** The plain launcher: no sandbox, only a clean environment, limits and a separate process group. */
import { join } from 'node:path';
import type { Programs } from '../process/programs.ts';
import { type Launcher, limitArguments } from './launcher.ts';

/** Launches commands without isolation; without limits, too, when prlimit is missing. */
export function plain({ paths }: Programs): Launcher {
  const limits = paths.prlimit === undefined ? [] : limitArguments(paths.prlimit);
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
