import { expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { rewriteStore } from '../../src/memory/work-on-records.ts';
import { openTimeLimit } from '../../src/process/time-limit.ts';

it('writing records ends when its time is up, however often others write between', async () => {
  let swaps = 0;
  const time = new AbortController();
  const store = {
    place: 'here',
    read: async () => ({ seen: '', files: new Map() }),
    swap: async () => {
      swaps += 1;
      if (swaps === 3) time.abort(new PhotonError('BUDGET_TIME'));
      return 'moved' as const;
    },
  };
  const work = () => ({ edits: new Map([['a', 'b']]), message: 'm', value: null });
  const limit = openTimeLimit(time.signal, { ms: 60_000, now: Date.now });
  const retry = { random: () => 0, wait: () => limit.pause(0) };
  await expect(rewriteStore(store, work, retry)).rejects.toMatchObject({ code: 'BUDGET_TIME' });
  expect(swaps).toBe(3);
  limit.close();
});
