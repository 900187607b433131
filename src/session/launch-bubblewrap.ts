/** bubblewrap: own namespaces, a read-only machine, and the view at the checkout's own path. */
import { join } from 'node:path';
import { type Launcher, limitArguments, type Machine } from './launcher.ts';

const kernelControls = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'] as const;

/** A launcher over the bwrap at this path (THREATS 2.3, base argv). */
export function bubblewrap(program: string): Launcher {
  return {
    name: 'bubblewrap',
    launch: (machine, command) => ({
      cwd: '/',
      env: { ...machine.env, HOME: machine.home },
      argv: [
        ...command.view.enter,
        program,
        '--unshare-all',
        // entering a view may have made the caller root in a namespace of its own
        ...(machine.user === null ? [] : ['--uid', machine.user.uid, '--gid', machine.user.gid]),
        ...(command.network ? ['--share-net'] : []),
        '--die-with-parent',
        '--new-session',
        ...['--cap-drop', 'ALL'],
        ...['--ro-bind', '/', '/'],
        ...['--dev', '/dev'],
        ...['--proc', '/proc'],
        // root's own uid may write these even without capabilities
        ...kernelControls.flatMap(path => ['--ro-bind-try', path, path]),
        ...covers(machine).flatMap(path => ['--tmpfs', path]),
        ...machine.readOnlyPaths.flatMap(path => ['--ro-bind-try', path, path]),
        ...['--bind', command.view.path, machine.workspacePath],
        ...['--chdir', join(machine.workspacePath, command.cwd)],
        '--',
        ...limitArguments,
        ...command.argv,
      ],
    }),
  };
}

/** Folders that get an empty one of their own; outer ones first, so that inner ones stay covered. */
function covers(machine: Machine): readonly string[] {
  const all = new Set(['/tmp', '/run', '/var/tmp', machine.home, ...machine.hidePaths]);
  const inWorkspace = (path: string) =>
    path === machine.workspacePath || path.startsWith(`${machine.workspacePath}/`);
  return [...all]
    .filter(path => path !== '/' && !inWorkspace(path))
    .sort((a, b) => a.length - b.length);
}
