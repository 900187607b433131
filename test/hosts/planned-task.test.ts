import { expect, it } from 'vitest';
import { codes } from '../../src/base/codes.ts';
import { makeBranchName, quiet, refuseTask, taskId } from '../../src/hosts/planned-task.ts';

it('a refusal says the meaning of its code, or more precise words', () => {
  expect(refuseTask('failed', 'DISK')).toEqual({
    status: 'failed',
    code: 'DISK',
    message: codes.DISK.meaning,
  });
  expect(refuseTask('failed', 'DISK', 'full').message).toBe('full');
});

it('what is quiet has no task, and so nobody to answer', () => {
  expect(quiet('NO_MAINTENANCE', 'none is due')).toEqual({
    task: undefined,
    refused: { status: 'no_change', code: 'NO_MAINTENANCE', message: 'none is due' },
  });
});

it('the same text in the same place is the same task', () => {
  expect(taskId('fix-12', 'do it')).toMatch(/^fix-12-[0-9a-f]{8}$/);
  expect(taskId('fix-12', 'do it')).toBe(taskId('fix-12', 'do it'));
  expect(taskId('fix-12', 'do it')).not.toBe(taskId('fix-12', 'do that'));
});

it('a branch is named by its task, or by a digest of a name that no branch can have', () => {
  const settings = { branchPrefix: 'photon/' };
  expect(makeBranchName({ id: 'fix-12-1a2b3c4d' }, settings)).toBe('photon/fix-12-1a2b3c4d');
  for (const id of ['../main', 'a b', 'x'.repeat(61), ''])
    expect(makeBranchName({ id }, settings)).toMatch(/^photon\/[0-9a-f]{16}$/);
});
