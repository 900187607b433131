/** Limits on a whole process tree (memory, processes, disk); the kernel's own limits are per process. */
import { existsSync, readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { once } from '../base/once.ts';
import type { Limit } from '../base/outcome.ts';
import { sum } from '../base/plural.ts';
import { attempt } from '../base/system-errors.ts';

export interface TreeLimits {
  /** Maximum bytes of memory that no disk backs: heap, stack, shared memory, files in tmpfs. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** A folder on the disk to watch. */
  readonly folder: string;
  /** Bytes that must stay free on that disk. */
  readonly reserveBytes: number;
}

const everyMs = 200;

/**
 * Checks the processes below `pid` and the disk five times a second until it is stopped.
 * @param exceeded called once, with the first limit that was exceeded.
 * @returns a function that stops watching.
 */
export function watchTree(
  pid: number,
  limits: TreeLimits,
  exceeded: (limit: Limit) => void,
): () => void {
  const restore = raisePriority(pid);
  const end = () => {
    clearInterval(timer);
    restore();
  };
  const timer = setInterval(() => {
    const limit = passedLimit(pid, limits);
    if (limit === undefined) return;
    end();
    exceeded(limit);
  }, everyMs);
  return end;
}

/** The number of commands being watched, and the priority of this process before the first of them. */
const priority = { watched: 0, original: 0 };

/**
 * The kernel limits the number of processes of every user except root. When Photon runs as root, it
 * raises its own priority above the command's, so that it still gets CPU time among thousands of processes.
 * @returns a function that restores the priority after the last watched command; a second call does nothing.
 */
function raisePriority(pid: number): () => void {
  if (process.getuid?.() !== 0) return () => {};
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    if (priority.watched === 0) priority.original = getPriority();
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    return () => {}; // the command has ended, or this root lacks the capability
  }
  priority.watched += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    priority.watched -= 1;
    if (priority.watched === 0) setPriority(priority.original);
  };
}

function passedLimit(pid: number, limits: TreeLimits): Limit | undefined {
  if (freeBytes(limits.folder) < limits.reserveBytes) return 'disk';
  const tree = descendants(pid, limits.processes);
  if (tree.length > limits.processes) return 'processes';
  const bytes = sum(tree.map(measureMemory)) + filesInMemory(tree);
  return bytes > limits.memoryBytes ? 'memory' : undefined;
}

/** Free bytes on a folder's disk; infinite when unknown, for example because the folder was removed. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = attempt(() => statfsSync(folder)) ?? { bavail: Infinity, bsize: 1 };
  return bavail * bsize;
}

/**
 * The ids of a process and all its descendants; when there are more than `most`, some more than `most` of them, because
 * a machine full of processes leaves little time to read about each.
 */
function descendants(pid: number, most: number): readonly number[] {
  const listed = listsChildren() ? listProcessTree(pid, most, listChildren) : undefined;
  return listed ?? listProcessTree(pid, most, childrenByParent()) ?? [pid];
}

/** A process and all below it; undefined when the children of one of them cannot be read. */
function listProcessTree(
  pid: number,
  most: number,
  childrenIn: (pid: number) => readonly number[] | undefined,
): readonly number[] | undefined {
  const found = [pid];
  for (const each of found) {
    if (found.length > most) return found;
    const children = childrenIn(each);
    if (children === undefined) return undefined;
    for (const child of children) found.push(child);
  }
  return found;
}

/** Whether the kernel lists the children of a process (CONFIG_PROC_CHILDREN). */
const listsChildren = once(() => existsSync(`/proc/self/task/${process.pid}/children`));

/** Finds children by the parent of every process of the machine. */
function childrenByParent(): (pid: number) => readonly number[] {
  const children = Map.groupBy(listProcesses().map(Number), pid => readParent(String(pid)));
  return pid => children.get(pid) ?? [];
}

/** True for a child of this process that has not ended; also where there is no /proc that could tell. */
export function isRunning(pid: number): boolean {
  const state = readStatus(String(pid))?.[0];
  return state === undefined ? !existsSync('/proc/self/stat') : !/[ZXx]/.test(state);
}

/**
 * Kills the init process of a command's PID namespace; the kernel then kills everything in the namespace.
 * As root, it raises that process's priority first, so that the kill takes effect among thousands of processes.
 */
export function killNamespaceInit(pid: number): void {
  for (const child of listChildren(pid) ?? []) {
    // it may have ended by now
    attempt(() => {
      if (process.getuid?.() === 0) setPriority(child, constants.priority.PRIORITY_HIGHEST);
      process.kill(child, 'SIGKILL');
    });
  }
}

/** A process with more threads is not asked thread by thread, because that takes too long. */
const maxThreads = 64;

/** The children of all threads of a process; undefined for a process with many threads. */
function listChildren(pid: number): readonly number[] | undefined {
  const threads = listFolder(`/proc/${pid}/task`);
  if (threads.length > maxThreads) return undefined;
  return threads.flatMap(thread =>
    readAbout(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** Process ids as text; none when there is no /proc. */
function listProcesses(): readonly string[] {
  return listFolder('/proc').filter(name => /^\d+$/.test(name));
}

function listFolder(path: string): readonly string[] {
  return attempt(() => readdirSync(path)) ?? [];
}

/** A file about a process; empty if the process ended, or there is no /proc. */
function readAbout(pid: number | string, file: string): string {
  return attempt(() => readFileSync(`/proc/${pid}/${file}`, 'latin1')) ?? '';
}

function readParent(pid: string): number | undefined {
  const parent = readStatus(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** State, parent, and the further fields that the kernel shows of a process; undefined when it is gone. */
function readStatus(pid: string): readonly string[] | undefined {
  const stat = readAbout(pid, 'stat');
  // the name field can contain any character
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function measureMemory(pid: number): number {
  const status = readAbout(pid, 'status');
  const kib = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm).map(m => Number(m[1]));
  return sum([...kib]) * 1024;
}

/** How many processes are examined: those of one command mostly share one mount namespace. */
const maxProcesses = 50;
const tmpfsType = 0x01021994;

/**
 * Bytes in all tmpfs file systems that these processes have mounted and this process has not. That
 * includes what a command mounted in its own namespace.
 */
function filesInMemory(pids: readonly number[]): number {
  const own = readNamespace('self');
  const spaces = new Map<string, number>();
  for (const pid of pids.slice(-maxProcesses)) {
    const space = readNamespace(pid);
    if (space !== undefined && space !== own) spaces.set(space, pid);
  }
  const ours = new Set(readMounts('self').map(m => m.device));
  const held = new Map<string, number>();
  for (const pid of spaces.values())
    for (const { device, at } of readMounts(pid))
      if (!ours.has(device) && !held.has(device)) held.set(device, usedBytes(pid, at));
  return sum([...held.values()]);
}

function readNamespace(pid: number | 'self'): string | undefined {
  return attempt(() => readlinkSync(`/proc/${pid}/ns/mnt`));
}

interface Mount {
  readonly device: string;
  readonly at: string;
}

function readMounts(pid: number | 'self'): readonly Mount[] {
  const lines = attempt(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')) ?? '';
  return lines.split('\n').flatMap(line => {
    // id, parent, device, root, place, options, tags, -, type
    const [, , device = '', , at = ''] = line.split(' ');
    return line.includes(' - tmpfs ') ? [{ device, at: unescapeOctal(at) }] : [];
  });
}

/** The kernel writes spaces and similar characters in octal. */
function unescapeOctal(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Bytes used in a tmpfs; 0 when another file system is mounted over it. */
function usedBytes(pid: number, at: string): number {
  const path = `/proc/${pid}/root${at}`;
  const used = attempt(() => {
    const { type, blocks, bfree, bsize } = statfsSync(path);
    return type === tmpfsType && statSync(path).isDirectory() ? (blocks - bfree) * bsize : 0;
  });
  return used ?? 0;
}
