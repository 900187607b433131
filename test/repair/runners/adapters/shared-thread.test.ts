import { expect, it } from 'vitest';
import { leftBy, withConfirmation } from '../../../../src/repair/runners/adapters/shared-thread.ts';
import type { JobResult, TestRunner } from '../../../../src/repair/runners/test-runner.ts';

it('what several jobs left changed is named once', () => {
  const jobs = [
    { changed: ['Array.prototype'] },
    undefined,
    { changed: ['Array.prototype', 'Date'] },
  ];
  expect(leftBy(jobs)).toEqual(['Array.prototype', 'Date']);
  expect(leftBy([undefined])).toEqual([]);
});

const job = {
  files: {},
  stages: [
    { tests: ['a'], only: ['a > x'] },
    { tests: ['a'], only: null },
  ],
  bail: true,
  coverage: false,
};
const ending = (status: 'passed' | 'failed', ended: JobResult['ended'] = 'done'): JobResult => ({
  cases: [{ id: 'a > x', file: 'a', status }],
  ended,
  coverage: [],
  cpuMs: 0,
});

/** A runner with one result, and the jobs that it got. */
function runnerOf(result: JobResult) {
  const jobs: unknown[] = [];
  const runner: TestRunner = {
    run: async given => {
      jobs.push(given);
      return result;
    },
    close: () => {},
  };
  return { jobs, runner };
}

it.each([
  ['fails there', ending('failed'), ending('failed')],
  ['passes there', ending('passed'), ending('passed')],
  [
    'crashes there',
    { ...ending('passed', 'crash'), cases: [] },
    { ...ending('passed', 'crash'), cases: [] },
  ],
  ['runs out of time there', { ...ending('passed', 'time'), cases: [] }, ending('passed')],
])('a candidate that passes and %s', async (_what, real, expected) => {
  const whole = runnerOf(real);
  const runner = withConfirmation(runnerOf(ending('passed')).runner, async () => whole.runner);
  expect(await runner.run({ ...job, confirm: true })).toEqual(expected);
  expect(whole.jobs).toEqual([{ ...job, confirm: true, stages: job.stages.slice(-1) }]);
});

it.each([
  ['one that fails', ending('failed'), true],
  ['one that nobody wants proved', ending('passed'), false],
])('does not open the slow runner for %s', async (_what, result, confirm) => {
  const fast = runnerOf(result);
  const runner = withConfirmation(fast.runner, () => Promise.reject(new Error('opened')));
  expect(await runner.run({ ...job, confirm })).toEqual(result);
  expect(fast.jobs).toHaveLength(1);
});
