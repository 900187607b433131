import { expect, it } from 'vitest';
import { codes } from '../../src/codes.ts';
import { quiet, refused } from '../../src/hosts/planned-task.ts';

it('a refusal says the meaning of its code, or more precise words', () => {
  expect(refused('failed', 'DISK')).toEqual({
    status: 'failed',
    code: 'DISK',
    message: codes.DISK.meaning,
  });
  expect(refused('failed', 'DISK', 'full').message).toBe('full');
});

it('what is quiet has no task, and so nobody to answer', () => {
  expect(quiet('NO_MAINTENANCE', 'none is due')).toEqual({
    task: null,
    refused: { status: 'no_change', code: 'NO_MAINTENANCE', message: 'none is due' },
  });
});
