/** What a run loads while it waits for the model does not delay the request. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { withWarmUp } from '../../../src/agent/run/warm-up.ts';
import type { Model, ModelRequest, Turn } from '../../../src/model/turn.ts';

const turn = { text: '', calls: [] } as unknown as Turn;

/** The order in which a first request reads patterns, and whatever the model notes. */
async function orderOf(complete: (note: (what: string) => void) => Promise<Turn>) {
  const order: string[] = [];
  const done = Promise.withResolvers<void>();
  const constitution = {
    get protectedPaths() {
      order.push('patterns');
      done.resolve();
      return [];
    },
  };
  const model = { name: 'double', complete: () => complete(what => order.push(what)) };
  const parts = { services: {}, constitution, plan: () => null };
  const warm = withWarmUp(model as Model, parts as unknown as Parameters<typeof withWarmUp>[1]);
  await warm.complete({} as ModelRequest, AbortSignal.any([])).catch(() => {});
  await done.promise;
  return order;
}

it('patterns are compiled when the request was sent', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const order = await orderOf(async note => {
    const headers = () => note('headers');
    subscribe('undici:client:sendHeaders', headers);
    await (await fetch(url, { method: 'POST', body: 'text' })).text();
    unsubscribe('undici:client:sendHeaders', headers);
    return turn;
  });
  server.close();
  expect(order).toEqual(['headers', 'patterns']);
});

it.each([
  ['ends', async () => turn],
  ['fails', () => Promise.reject(new Error('no model'))],
])('a turn that %s without a request does not hold them back', async (_how, complete) => {
  expect(await orderOf(complete)).toEqual(['patterns']);
});
