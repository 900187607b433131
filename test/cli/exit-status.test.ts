import { describe, expect, it } from 'vitest';
import { type Code, PhotonError } from '../../src/base/codes.ts';
import type { Outcome, Status } from '../../src/base/outcome.ts';
import { statusOfError, statusOfRun, worstStatus } from '../../src/cli/exit-status.ts';

describe('the exit status', () => {
  it.each<[Code, number]>([
    ['USAGE', 2],
    ['SETTING_INVALID', 2],
    ['TASK_MISSING', 2],
    ['CANCELLED', 130],
    ['DISK', 1],
  ])('of an error with %s is %i', (code, status) => {
    expect(statusOfError(new PhotonError(code, 'x'))).toBe(status);
  });

  it('of an error without a code is 1', () => {
    expect(statusOfError(new Error('x'))).toBe(1);
  });

  it.each<[Status, Code, boolean, number]>([
    ['failed', 'CANCELLED', false, 130],
    ['failed', 'DISK', false, 1],
    ['abstained', 'ABSTAINED', false, 3],
    ['abstained', 'ABSTAINED', true, 1],
    ['needs_clarification', 'APPROVAL_NEEDED', false, 3],
    ['no_change', 'PLAN_POSTED', true, 0],
  ])('of a run that ended with %s (%s), fail-on-abstain %s, is %i', (status, code, fails, exit) => {
    expect(statusOfRun({ status, code } as Outcome, fails)).toBe(exit);
  });

  it('of several runs is that of the one which ended worst', () => {
    expect(worstStatus([0, 3, 1])).toBe(1);
    expect(worstStatus([1, 2, 3])).toBe(2);
    expect(worstStatus([2, 130])).toBe(130);
    expect(worstStatus([0, 3])).toBe(3);
    expect(worstStatus([])).toBe(0);
  });
});
