/** No walls: a clean environment, limits, and a process group of its own. Never sold as isolation. */
import { join } from 'node:path';
import type { Programs } from '../process/programs.ts';
import { type Launcher, limitArguments } from './launcher.ts';

/** Without limits where prlimit is not on the machine. */
export function plain({ paths }: Programs): Launcher {
  const limits = paths.prlimit === undefined ? [] : limitArguments(paths.prlimit);
  return {
    name: 'plain',
    launch: (machine, command) => ({
      cwd: join(command.view.path, command.cwd),
      env: machine.env,
      accounts: false,
      argv: [...command.view.enter, ...limits, ...command.argv],
    }),
  };
}
