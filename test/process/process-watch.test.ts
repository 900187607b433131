import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
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
