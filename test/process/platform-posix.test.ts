import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Platform } from '../../src/process/platform.ts';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { runProcess } from '../../src/process/run-process.ts';
import { root } from '../harness.ts';

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a program that has exited is not stopped any more, because another one may have its id', async () => {
  const calls: string[] = [];
  const platform: Platform = {
    ...posixPlatform,
    stop: () => calls.push('stop'),
    stopLeft: () => calls.push('left'),
  };
  const env = { PATH: process.env.PATH ?? '' };
  let text = '';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const ended = runProcess({
      // what it leaves holds its output open until after the time limit
      argv: ['sh', '-c', 'sleep 600 & echo $$ $!'],
      ...{ cwd: root, env, platform, maxOutputBytes: 1000, timeoutMs: 1000 },
      signal: new AbortController().signal,
      onOutput: chunk => {
        text += chunk;
      },
    });
    while (!text.includes('\n') || isThere(Number(text.split(' ')[0]))) await setImmediate();
    vi.advanceTimersByTime(1000);
    vi.advanceTimersByTime(10_000);
    const end = await ended;
    expect(end.limit).toBe('time');
    expect(calls).toContain('left');
    expect(calls).not.toContain('stop');
  } finally {
    vi.useRealTimers();
    process.kill(Number(text.split(' ')[1]), 'SIGKILL');
  }
});
