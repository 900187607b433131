import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/model/client.ts';
import { type Attempt, decideRetry, type Failure } from '../../src/model/retry.ts';

const failure: Failure = {
  status: 503,
  vendorCode: '',
  message: 'busy',
  retryAfter: null,
  retryAfterMs: null,
  badReply: false,
};
const waitsOf = (more: Pick<Attempt, 'schedule' | 'random'>, failed: Partial<Failure> = {}) =>
  [1, 2, 3, 4, 5].map(failures => {
    const about = { failures, remainingMs: 3_600_000, now: 0, ...more };
    const decision = decideRetry({ ...failure, ...failed }, about);
    return 'waitMs' in decision ? decision.waitMs : decision.giveUp;
  });
const noRandom = () => {
  throw new Error('a fixed schedule asked for a random number');
};

describe('a failed model request', () => {
  it('is repeated three times by a fixed schedule, which asks for no random number', () => {
    const fixed = { schedule: 'fixed' as const, random: noRandom };
    const expected = [500, 1000, 2000, 'MODEL_UNAVAILABLE', 'MODEL_UNAVAILABLE'];
    expect(waitsOf(fixed)).toEqual(expected);
    // a time-out, or a connection that broke
    expect(waitsOf(fixed, { status: null })).toEqual(expected);
  });

  it('waits as long as the endpoint asks, whatever the schedule', () => {
    const asked = { retryAfterMs: '700' };
    expect(waitsOf({ schedule: 'fixed', random: noRandom }, asked).slice(0, 3)).toEqual([
      700, 700, 700,
    ]);
  });

  it('that times out is repeated three times, with the same waits in each run', async () => {
    const waits: number[] = [];
    const server = createServer(() => {}); // never answers
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const model = openModel({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: async () => 'key',
      model: 'double',
      clock: { now: () => 0, random: noRandom, sleep: async ms => void waits.push(ms) },
      deadline: 3_600_000,
      idleTimeoutMs: 50,
      log: () => {},
    });
    const request = { messages: [], tools: [], maxOutputTokens: 10, retries: 'fixed' as const };
    try {
      await expect(model.complete(request, new AbortController().signal)).rejects.toMatchObject({
        code: 'MODEL_UNAVAILABLE',
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it('is repeated four times by a jittered schedule, up to a quarter sooner', () => {
    const at = (n: number) => waitsOf({ schedule: 'jittered', random: () => n });
    expect(at(0)).toEqual([500, 1000, 2000, 4000, 'MODEL_UNAVAILABLE']);
    expect(at(1)).toEqual([375, 750, 1500, 3000, 'MODEL_UNAVAILABLE']);
  });
});
