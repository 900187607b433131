import { expect, it } from 'vitest';
import type { Platform } from '../../src/process/platform.ts';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { runProcess } from '../../src/process/run-process.ts';
import { root } from '../harness.ts';

it('a program that has exited is not stopped any more, because another one may have its id', async () => {
  const calls: string[] = [];
  const platform: Platform = {
    ...posixPlatform,
    stop: () => calls.push('stop'),
    stopLeft: () => calls.push('left'),
  };
  const env = { PATH: process.env.PATH ?? '' };
  const end = await runProcess({
    // what it leaves holds its output open until after the time limit
    argv: ['sh', '-c', 'sleep 3 & exit 0'],
    ...{ cwd: root, env, platform, maxOutputBytes: 1000, timeoutMs: 1000 },
    signal: new AbortController().signal,
  });
  expect(end.limit).toBe('time');
  expect(calls).toContain('left');
  expect(calls).not.toContain('stop');
});
