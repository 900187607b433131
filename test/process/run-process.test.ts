import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { requirePipes } from '../../src/process/run-process.ts';

/** A process as Node returns it: without pipes if no more files may be opened. */
const child = (more: object) =>
  Object.assign(new EventEmitter(), { spawnfile: 'git', ...more }) as unknown as ChildProcess;

describe('a process that was started', () => {
  it('is returned if it has its pipes', () => {
    const started = child({ stdout: new PassThrough() });
    expect(requirePipes(started)).toBe(started);
  });

  it('without pipes is an error with a code, and its own error ends nothing later', () => {
    const failed = child({});
    let exits = 0;
    failed.on('exit', () => {
      exits += 1;
    });
    expect(() => requirePipes(failed)).toThrow(
      expect.objectContaining({
        code: 'SYSTEM_LIMIT',
        message: 'git could not be started: this process may open no more files.',
        cause: expect.objectContaining({ code: 'EMFILE' }),
      }),
    );
    // what waits for its end, such as the timer of a limit, learns of it
    expect(exits).toBe(1);
    expect(() => failed.emit('error', new Error('spawn git EMFILE'))).not.toThrow();
  });
});
