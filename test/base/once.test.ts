/** A value is made at its first use, and once. */
import { expect, it } from 'vitest';
import { once } from '../../src/base/once.ts';

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
