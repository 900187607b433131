/** No walls: a clean environment, limits, and a process group of its own. Never sold as isolation. */
import { join } from 'node:path';
import { type Launcher, limitArguments } from './launcher.ts';

/** `limits` is false where prlimit is not on the machine. */
export function plain(limits: boolean): Launcher {
  return {
    name: 'plain',
    launch: (machine, command) => ({
      cwd: join(command.view.path, command.cwd),
      env: machine.env,
      accounts: false,
      argv: [...command.view.enter, ...(limits ? limitArguments : []), ...command.argv],
    }),
  };
}
