import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { watchTree } from '../../src/process/process-watch.ts';
import { has, needs } from '../programs.ts';

it.runIf(has('root'))(
  `gives the priority of this process back after the last of two commands, whichever ends first ${needs('root')}`,
  async () => {
    const own = getPriority();
    const children = [1, 2].map(() => spawn('sleep', ['60'], { stdio: 'ignore' }));
    const limits = { memoryBytes: 1e12, processes: 1e6, folder: '/', reserveBytes: 0 };
    const [first, second] = children.map(child =>
      watchTree(child.pid ?? 0, limits, () => expect.unreachable()),
    );
    expect(getPriority()).toBeLessThan(own);
    first?.();
    first?.();
    expect(getPriority()).toBeLessThan(own);
    second?.();
    expect(getPriority()).toBe(own);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(child => once(child, 'close')));
  },
);

const allocate =
  'b = bytearray(b"x") * 300_000_000; print(1, flush=True); import time; time.sleep(60)';
const trees = {
  'its second thread started': [
    'threading.Thread(target=lambda: subprocess.run([sys.executable, "-c", code])).start()',
  ],
  // such a process is found by the list of all processes
  'one of its hundred threads started': [
    'for _ in range(100): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()',
    'subprocess.run([sys.executable, "-c", code])',
  ],
};

describe.runIf(has('python3'))(`the memory of a process ${needs('python3')}`, () => {
  it.each(Object.entries(trees))('that %s counts', async (_name, lines) => {
    const program = ['import subprocess, sys, threading, time', 'code = sys.argv[1]', ...lines];
    const child = spawn('python3', ['-c', program.join('\n'), allocate], { detached: true });
    try {
      await once(child.stdout, 'data');
      const exceeded = await new Promise(resolve => {
        const limits = { memoryBytes: 2e8, processes: 1e6, folder: '/', reserveBytes: 0 };
        watchTree(child.pid ?? 0, limits, resolve);
      });
      expect(exceeded).toBe('memory');
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
  });
});

it('the processes of a command are counted, and others of the machine are not', async () => {
  const crowd = 'for i in $(seq 30); do sleep 60 & done; echo started; wait';
  const limits = { memoryBytes: 1e12, processes: 20, folder: '/', reserveBytes: 0 };
  const exceeded = { quiet: 0, crowded: 0 };
  const start = (line: string) => spawn('sh', ['-c', line], { detached: true });
  const quiet = start('echo started; sleep 60');
  const children = [quiet];
  vi.useFakeTimers();
  try {
    const ends = [watchTree(quiet.pid ?? 0, limits, () => (exceeded.quiet += 1))];
    const crowded = start(crowd);
    children.push(crowded);
    ends.push(watchTree(crowded.pid ?? 0, limits, () => (exceeded.crowded += 1)));
    await once(crowded.stdout, 'data');
    vi.advanceTimersByTime(200);
    for (const end of ends) end();
    expect(exceeded).toEqual({ quiet: 0, crowded: 1 });
  } finally {
    vi.useRealTimers();
    for (const { pid = 0 } of children) process.kill(-pid, 'SIGKILL');
  }
});
