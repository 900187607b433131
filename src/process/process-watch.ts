/** Limits on what a command and all that it started hold together; the kernel's own are per process. */
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Limit } from '../outcome.ts';
import { filesInMemory } from './memory-files.ts';

export interface TreeLimits {
  /** Most bytes of memory that are no disk's: heap, stack, shared memory, files that lie in memory. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Folder on the disk that is watched. */
  readonly folder: string;
  /** Bytes that have to stay free on that disk. */
  readonly reserveBytes: number;
}

const everyMs = 200;

/**
 * Looks at the processes below `pid` and at the disk five times a second until it is stopped.
 * @param exceeded called once, with the limit that was passed first.
 * @returns stops watching.
 */
export function watchTree(
  pid: number,
  limits: TreeLimits,
  exceeded: (limit: Limit) => void,
): () => void {
  const before = listProcesses().length;
  const lower = comeFirst(pid);
  const end = () => {
    clearInterval(timer);
    lower();
  };
  const timer = setInterval(() => {
    const limit = passedLimit(pid, limits, before);
    if (limit === null) return;
    end();
    exceeded(limit);
  }, everyMs);
  return end;
}

/** How many commands are watched now, and the priority this process had before the first of them. */
const first = { watched: 0, own: 0 };

/**
 * The kernel bounds the number of processes of every user but root. As root, this process comes
 * before the command's, so that it is heard among thousands of them.
 * @returns gives the priority back with the last command watched; a second call does nothing.
 */
function comeFirst(pid: number): () => void {
  if (process.getuid?.() !== 0) return () => {};
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    if (first.watched === 0) first.own = getPriority();
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    return () => {}; // it has ended, or this root may not
  }
  first.watched += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    first.watched -= 1;
    if (first.watched === 0) setPriority(first.own);
  };
}

function passedLimit(pid: number, limits: TreeLimits, before: number): Limit | null {
  if (freeBytes(limits.folder) < limits.reserveBytes) return 'disk';
  // a look at each takes too long when there are thousands: what is new on the machine is counted
  const all = listProcesses();
  if (all.length - before > limits.processes) return 'processes';
  const tree = descendants(pid, all);
  if (tree.length > limits.processes) return 'processes';
  const bytes = tree.map(memoryOf).reduce((sum, n) => sum + n, 0) + filesInMemory(tree);
  return bytes > limits.memoryBytes ? 'memory' : null;
}

/** Free bytes of a folder's disk; endless when that cannot be told, such as of a folder that is gone. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** A process and all below it, among those of the machine. */
function descendants(pid: number, all: readonly string[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of all) {
    const parent = parentOf(name);
    if (parent === null) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [Number(name)]);
    else known.push(Number(name));
  }
  const found = [pid];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

/**
 * Kills the first process of a command's own namespace, with which the kernel ends all in it; as
 * root, it is let through among thousands.
 */
export function killInit(pid: number): void {
  for (const child of childrenOf(pid)) {
    try {
      if (process.getuid?.() === 0) setPriority(child, constants.priority.PRIORITY_HIGHEST);
      process.kill(child, 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // a kernel without this list: the process group is killed all the same
  }
}

/** Process ids as text; none where there is no /proc. */
function listProcesses(): readonly string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]); // a name may hold anything
  } catch {
    return null; // it ended while we looked
  }
}

function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return ['RssAnon', 'RssShmem']
      .map(name => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0))
      .reduce((sum, kib) => sum + kib * 1024, 0);
  } catch {
    return 0;
  }
}
