/** The outcome of a run whose work fails before and after its delivery. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, RunInput } from '../../src/hosts/host.ts';
import { outcomeOfRun } from '../../src/run/end-run.ts';
import { openRun, type RunProgress } from '../../src/run/stages.ts';
import { discard, makeFolder } from '../harness.ts';

let folder = '';
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

const delivery: Delivery = {
  status: 'committed',
  code: 'COMMITTED',
  phase: 'COMMIT',
  message: 'The verified patch was delivered.',
  delivered: { kind: 'pull-request', operation: 'created', pullRequestNumber: 7 },
};

function opened(signal = new AbortController().signal): RunProgress {
  const input: Partial<RunInput> = {
    tempRoot: folder,
    actor: 'maintainer',
    repository: 'acme/shop',
    env: {},
    now: () => 0,
    signal,
  };
  return { opened: openRun(input as RunInput, undefined) };
}

describe('an error of the work', () => {
  it('is the ending when nothing was delivered', async () => {
    const outcome = await outcomeOfRun(opened(), () => Promise.reject(new Error('broken')));
    expect(outcome).toMatchObject({ status: 'failed', code: 'INTERNAL', message: 'Error: broken' });
  });

  it('is a note once the result was delivered', async () => {
    const tracker = opened();
    const outcome = await outcomeOfRun(tracker, () => {
      tracker.delivered = delivery;
      return Promise.reject(
        Object.assign(new Error('the path is too long'), { code: 'ENAMETOOLONG' }),
      );
    });
    expect(outcome).toMatchObject({ ...delivery, hint: 'Review it like any other change.' });
    expect(outcome.notes).toEqual(['After the delivery: Error: the path is too long']);
  });

  it('changes nothing when it is the cancellation of the job, either', async () => {
    const job = new AbortController();
    const tracker = opened(job.signal);
    const outcome = await outcomeOfRun(tracker, () => {
      tracker.delivered = delivery;
      job.abort(new Error('the job was cancelled'));
      return Promise.reject(job.signal.reason);
    });
    expect(outcome).toMatchObject({ status: 'committed', delivered: delivery.delivered });
  });
});
