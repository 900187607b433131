/** Measures a process with all of its descendants, from `/proc` of Linux and by `strace`. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const tickMs = 10;
const pageMiB = 4096 / 1024 / 1024;
const sampleMs = 5;

/** Processor time in ms of the children of this process that have ended, and of theirs. */
export function endedChildrenCpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}

/** Samples the resident memory of a process tree until the returned function is called, which gives the peak in MiB. */
export function watchMemory(pid: number): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid));
  }, sampleMs);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** Argv in front of a program, for a list of the programs that its tree starts; undefined without `strace`. */
export function tracePrograms(list: string): readonly string[] | undefined {
  if (spawnSync('strace', ['-V']).error !== undefined) return undefined;
  const starts = ['-e', 'trace=execve', '-e', 'status=successful', '-e', 'signal=none'];
  return ['strace', '-f', '-qq', ...starts, '-o', list];
}

/** How often each program of such a list started, the most frequent first. */
export function countPrograms(list: string): ReadonlyMap<string, number> {
  const started = readFileSync(list, 'utf8').matchAll(/ execve\("([^"]+)"/g);
  const byName = Map.groupBy(started, ([, path = '']) => basename(path));
  const counts = [...byName].map(([name, all]) => [name, all.length] as const);
  return new Map(counts.sort(([, a], [, b]) => b - a));
}

/** Pages that processes share count once for each of them. */
function residentMiB(top: number): number {
  const pids = [top];
  let pages = 0;
  for (const pid of pids) {
    try {
      pages += Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
        pids.push(...children.split(' ').filter(Boolean).map(Number));
      }
    } catch {
      // the process or thread has ended meanwhile
    }
  }
  return pages * pageMiB;
}
