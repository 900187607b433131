/** Files of this machine that a command must not find, for the probe to look for. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../base/system-errors.ts';
import { isWithin, readEntries, realPath } from '../workspace/files/locate.ts';
import type { Machine } from './launchers/launcher.ts';
import { type Part, privateFolders } from './readable.ts';

const maxEntries = 20;
const maxSockets = 50;

/** At most twenty paths in each covered folder, and the hidden paths inside shown folders. */
export function coveredPaths(machine: Machine, folders: readonly string[]): readonly string[] {
  const { workspacePath, parts, hidden } = machine;
  const shown = [workspacePath, ...parts.map(p => p.at)];
  const isApart = (path: string) => !shown.some(s => isWithin(s, path) || isWithin(path, s));
  // a link of the machine can also exist inside, and lead to a folder that is shown
  const isCovered = (path: string) => isApart(path) && isApart(realPath(path) ?? path);
  const system = ['/proc', '/dev', '/opt', '/var', '/boot'];
  const searched = [
    ...folders,
    machine.home,
    dirname(workspacePath),
    ...privateFolders.filter(p => !system.includes(p)),
  ];
  const entries = [...new Set(searched)].flatMap(folder =>
    // no further than to the twentieth
    readEntries(folder)
      .values()
      .map(({ name }) => join(folder, name))
      .filter(isCovered)
      .take(maxEntries)
      .toArray(),
  );
  return [...new Set([...entries, ...hidden.map(h => h.at)])];
}

/** Paths of all bound sockets of this machine, and at most fifty of them that a process listens on. */
function boundSockets(): {
  readonly all: readonly string[];
  readonly listening: readonly string[];
} {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    // Num RefCount Protocol Flags Type St Inode Path; the flag 00010000 marks a listening socket
    const found = lines.flatMap(line => {
      const [, flags, path] = /^\S+ \S+ \S+ ([0-9A-F]{8}) \S+ \S+ +\d+ (\/.*)$/.exec(line) ?? [];
      return path === undefined ? [] : [{ path, listens: flags === '00010000' }];
    });
    const listening = found.filter(f => f.listens).map(f => f.path);
    return {
      all: [...new Set(found.map(f => f.path))],
      listening: [...new Set(listening)].slice(0, maxSockets),
    };
  } catch {
    return { all: [], listening: [] }; // no /proc
  }
}

/** Paths of sockets for the probe to connect to. */
export function listeningSockets(): readonly string[] {
  return boundSockets().listening;
}

/**
 * The same machine with all currently bound sockets hidden. A read-only mount does not prevent a
 * connection to a socket in a folder that is shown.
 * @param merged caches that a view merges over; an overlay does not pass connections through.
 */
export function coverSockets(machine: Machine, merged: readonly Part[]): Machine {
  const { parts, hidden } = machine;
  const sockets = boundSockets().all.flatMap(path => {
    const real = realPath(path);
    const over = real === undefined ? [] : parts.filter(p => isWithin(real, p.from));
    const at = over.map(p => `${p.at}${(real ?? '').slice(p.from.length)}`);
    return at.filter(place => !merged.some(m => isWithin(place, m.at)));
  });
  if (sockets.length === 0) return machine;
  return { ...machine, hidden: [...hidden, ...sockets.map(at => ({ at, isFolder: false }))] };
}

/** Device and inode of a file, which tell it from another file at the same path, or undefined. */
export function fileIdentity(path: string): string | undefined {
  const found = attempt(() => statSync(path));
  return found && `${found.dev}:${found.ino}`;
}
