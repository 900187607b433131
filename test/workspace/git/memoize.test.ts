import { expect, it } from 'vitest';
import { memoize } from '../../../src/workspace/git/memoize.ts';

it('makes a value once for each key, also for calls at the same time', async () => {
  const made: string[] = [];
  const get = memoize(async key => {
    made.push(key);
    return key.length;
  });
  expect(await Promise.all([get('a'), get('a'), get('bc'), get()])).toEqual([1, 1, 2, 0]);
  expect(await get('a')).toBe(1);
  expect(made).toEqual(['a', 'bc', '']);
});

it('makes a value again after a failure, which reaches every waiting call', async () => {
  let calls = 0;
  const get = memoize(async () => {
    calls += 1;
    if (calls === 1) throw new Error('first');
    return calls;
  });
  const [one, other] = [get(), get()];
  await expect(one).rejects.toThrow('first');
  await expect(other).rejects.toThrow('first');
  expect([await get(), await get()]).toEqual([2, 2]);
});
