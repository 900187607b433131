/** Memory used by files in tmpfs (`/dev/shm`, an empty `/run`), which no process counts as its own. */
import { readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';

/** How many processes are examined: those of one command mostly share one mount namespace. */
const maxProcesses = 50;
const tmpfsType = 0x01021994;

/**
 * Bytes in all tmpfs file systems that these processes have mounted and this process has not. That
 * includes what a command mounted in its own namespace.
 */
export function filesInMemory(pids: readonly number[]): number {
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
  return [...held.values()].reduce((sum, n) => sum + n, 0);
}

function readNamespace(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined; // the process ended, or there is no /proc
  }
}

interface Mount {
  readonly device: string;
  readonly at: string;
}

function readMounts(pid: number | 'self'): readonly Mount[] {
  try {
    const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
    return lines.flatMap(line => {
      // id, parent, device, root, place, options, tags, -, type
      const [, , device = '', , at = ''] = line.split(' ');
      return line.includes(' - tmpfs ') ? [{ device, at: unescaped(at) }] : [];
    });
  } catch {
    return [];
  }
}

/** The kernel writes spaces and similar characters in octal. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Bytes used in a tmpfs; 0 when another file system is mounted over it. */
function usedBytes(pid: number, at: string): number {
  try {
    const path = `/proc/${pid}/root${at}`;
    const { type, blocks, bfree, bsize } = statfsSync(path);
    return type === tmpfsType && statSync(path).isDirectory() ? (blocks - bfree) * bsize : 0;
  } catch {
    return 0;
  }
}
