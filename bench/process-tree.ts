/** Measures a process with all of its descendants, from `/proc` of Linux. */
import { readdirSync, readFileSync } from 'node:fs';

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
