import { expect, it } from 'vitest';
import { isCooling } from '../../../../src/hosts/github/maintenance/tasks.ts';

const last = '2026-01-01T00:00:00Z';
const after = (hours: number) => Date.parse(last) + hours * 3_600_000;

it.each([
  [24, last, 23.9, true],
  [24, last, 24, false],
  [undefined, last, 0, false],
  [24, undefined, 1, false],
])(
  'a task with %s hours that ended at %s cools %s hours later: %s',
  (coolDownHours, ended, hours, is) => {
    expect(isCooling({ coolDownHours }, ended, after(hours))).toBe(is);
  },
);
