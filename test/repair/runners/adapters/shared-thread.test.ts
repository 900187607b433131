import { expect, it } from 'vitest';
import { leftBy } from '../../../../src/repair/runners/adapters/shared-thread.ts';

it('what several jobs left changed is named once', () => {
  const jobs = [{ changed: ['Array.prototype'] }, null, { changed: ['Array.prototype', 'Date'] }];
  expect(leftBy(jobs)).toEqual(['Array.prototype', 'Date']);
  expect(leftBy([null])).toEqual([]);
});
