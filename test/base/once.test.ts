/** A value is made at its first use, and once. */
import { expect, it } from 'vitest';
import { memoize, once, oneAtATime } from '../../src/base/once.ts';

it('once makes a value at the first call, and none again, whatever it is', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});

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

it('work never overlaps, keeps its order, and goes on behind a failure', async () => {
  const alone = oneAtATime();
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    alone(async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const all = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(all.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
