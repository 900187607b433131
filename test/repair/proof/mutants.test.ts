import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { untilAborted } from '../../../src/repair/proof/mutants.ts';

it('gives the result, or the error, of work that ends', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, Promise.resolve(1))).toEqual({ result: 1 });
  await expect(untilAborted(signal, Promise.reject(new Error('x')))).rejects.toThrow('x');
});

it('does not wait for work that goes on after the signal', async () => {
  const stop = new AbortController();
  const waiting = untilAborted(stop.signal, new Promise(() => {}));
  await setImmediate();
  stop.abort();
  expect(await waiting).toBeUndefined();
  expect(await untilAborted(stop.signal, new Promise(() => {}))).toBeUndefined();
  expect(await untilAborted(stop.signal, Promise.reject(new Error('x')))).toBeUndefined();
});
