/** bubblewrap: own namespaces, a root of read-only parts, and the view at the checkout's own path. */
import { join } from 'node:path';
import { type Programs, pickPrograms } from '../process/programs.ts';
import {
  emptyBytes,
  insideArguments,
  kernelControls,
  type Launcher,
  type RootEntry,
  sharedBytes,
  shownFolders,
  walled,
} from './launcher.ts';

/** A launcher over bubblewrap (THREATS 2.3, base argv); null where a program for it is missing. */
export function bubblewrap(programs: Programs): Launcher | null {
  const tools = pickPrograms(programs, ['bwrap', 'prlimit', 'sh', 'cat']);
  if (tools === null) return null;
  return {
    name: 'bubblewrap',
    launch: (machine, command) => ({
      ...walled(machine),
      argv: [
        ...command.view.enter,
        tools.bwrap,
        '--unshare-all',
        // entering a view may have made the caller root in a namespace of its own
        ...(machine.user === null ? [] : ['--uid', machine.user.uid, '--gid', machine.user.gid]),
        ...(command.network ? ['--share-net'] : []),
        '--die-with-parent',
        '--new-session',
        ...['--cap-drop', 'ALL'],
        ...['--dev', '/dev'],
        ...['--perms', '1777', '--size', String(sharedBytes), '--tmpfs', '/dev/shm'],
        ...['--remount-ro', '/dev'],
        ...['--proc', '/proc'],
        ...kernelControls.flatMap(path => ['--ro-bind-try', path, path]),
        ...shownFolders(machine, command.view).flatMap(argumentsFor),
        ...['--remount-ro', '/'],
        ...['--chdir', join(machine.workspacePath, command.cwd)],
        '--',
        ...insideArguments(tools),
        ...command.argv,
      ],
    }),
  };
}

function argumentsFor(shown: RootEntry): readonly string[] {
  if (shown.kind === 'link') return ['--symlink', shown.to, shown.at];
  if (shown.kind === 'empty') return ['--size', String(emptyBytes), '--tmpfs', shown.at];
  return [shown.kind === 'writable' ? '--bind' : '--ro-bind-try', shown.from, shown.at];
}
