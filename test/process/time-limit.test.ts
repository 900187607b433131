import { expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { openTimeLimit } from '../../src/process/time-limit.ts';

const never = new AbortController().signal;

it('time that is up by the clock ends the work, before any timer', async () => {
  let now = 1_000;
  const limit = openTimeLimit(never, { ms: 60_000, now: () => now });
  expect(limit.deadline).toBe(61_000);
  await expect(limit.check()).resolves.toBeUndefined();
  now = 61_000;
  await expect(limit.check()).rejects.toMatchObject({ code: 'BUDGET_TIME' });
  limit.close();
});

it('the reason of the caller, or of whoever cancels it, ends the work', async () => {
  const parent = new AbortController();
  const limit = openTimeLimit(parent.signal, { ms: 60_000, now: () => 0 });
  const waiting = limit.pause(60_000);
  parent.abort(new PhotonError('CANCELLED'));
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  limit.close();

  const own = openTimeLimit(never, { ms: 60_000, now: () => 0 });
  own.cancel(new PhotonError('STOPPED'));
  await expect(own.check()).rejects.toMatchObject({ code: 'STOPPED' });
  own.close();
});
