import { expect, it } from 'vitest';
import { oneAtATime } from '../../src/process/one-at-a-time.ts';

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
