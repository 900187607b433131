/** The bubblewrap launcher: separate namespaces, a read-only root, and the view at the path of the checkout. */
import { join } from 'node:path';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import {
  emptyBytes,
  insideArguments,
  kernelControls,
  type Launcher,
  makeLaunch,
  type RootEntry,
  sharedBytes,
  shownFolders,
} from './launcher.ts';

/** Launches commands through bubblewrap (docs/sandbox.md); undefined when a program that it needs is missing. */
export function bubblewrap(programs: Programs): Launcher | undefined {
  const tools = pickPrograms(programs, ['bwrap', 'sh']);
  if (tools === undefined) return undefined;
  return {
    name: 'bubblewrap',
    mounts: true,
    launch: (machine, command) => ({
      ...makeLaunch(machine),
      argv: [
        ...command.view.enter,
        tools.bwrap,
        '--unshare-all',
        // the shell around the command is the init process
        '--as-pid-1',
        // entering a view can make the caller root in its own namespace
        machine.user === undefined
          ? undefined
          : ['--uid', machine.user.uid, '--gid', machine.user.gid],
        command.network ? '--share-net' : undefined,
        '--die-with-parent',
        '--new-session',
        '--cap-drop',
        'ALL',
        '--dev',
        '/dev',
        '--perms',
        '1777',
        '--size',
        String(sharedBytes),
        '--tmpfs',
        '/dev/shm',
        '--proc',
        '/proc',
        ...kernelControls.flatMap(path => ['--ro-bind-try', path, path]),
        // a view or a tool can lie below /dev, so that it becomes read-only after them
        ...shownFolders(machine, command).flatMap(argumentsFor),
        '--remount-ro',
        '/dev',
        '--remount-ro',
        '/',
        '--chdir',
        join(machine.workspacePath, command.cwd),
        '--',
        ...insideArguments(machine, tools.sh, programs.paths.perl),
        ...command.argv,
      ]
        .flat()
        .filter(item => item !== undefined),
    }),
  };
}

function argumentsFor(shown: RootEntry): readonly string[] {
  if (shown.kind === 'link') return ['--symlink', shown.to, shown.at];
  if (shown.kind === 'empty') return ['--size', String(emptyBytes), '--tmpfs', shown.at];
  return [shown.kind === 'writable' ? '--bind' : '--ro-bind-try', shown.from, shown.at];
}
