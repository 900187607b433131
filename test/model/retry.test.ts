import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { chatApi } from '../../src/model/apis/chat.ts';
import { emptyTurn, finishTurn } from '../../src/model/apis/partial-turn.ts';
import { openModel } from '../../src/model/client.ts';
import {
  type Attempt,
  decideRetry,
  type Failure,
  findHint,
  findStatus,
  waitInWords,
} from '../../src/model/retry.ts';

const failure: Failure = {
  status: 503,
  vendorCode: '',
  message: 'busy',
  retryAfter: undefined,
  retryAfterMs: undefined,
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
    expect(waitsOf(fixed, { status: undefined })).toEqual(expected);
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
    const at = (n: number) => waitsOf({ schedule: 'jittered', random: () => n }, { status: 500 });
    expect(at(0)).toEqual([500, 1000, 2000, 4000, 'MODEL_UNAVAILABLE']);
    expect(at(1)).toEqual([375, 750, 1500, 3000, 'MODEL_UNAVAILABLE']);
  });
});

describe('an endpoint that is busy', () => {
  const wait = (failed: Partial<Failure>, failures = 1) =>
    decideRetry(
      { ...failure, ...failed },
      {
        failures,
        remainingMs: 3_600_000,
        now: 1_700_000_000_000,
        schedule: 'jittered',
        random: () => 0,
      },
    );

  it.each([429, 503, 529])('is asked for two minutes (HTTP %i)', status => {
    const waits = Array.from({ length: 10 }, (_, i) => wait({ status }, i + 1));
    const expected = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
    expect(waits.slice(0, -1)).toEqual(expected.map(waitMs => ({ waitMs })));
    expect(waits.at(-1)).toHaveProperty('giveUp');
  });

  it('is asked again after a gateway closed the connection (HTTP 499)', () => {
    expect(wait({ status: 499 })).toEqual({ waitMs: 500 });
    expect(wait({ status: 499 }, 5)).toEqual({ giveUp: 'MODEL_UNAVAILABLE' });
  });

  it.each([
    ['now, which is no wait', { retryAfter: '0' }, 500],
    ['OpenAI and Groq', { resets: ['6m0s'] }, 360_000],
    ['the latest of those that are used up', { resets: ['1s', '120ms', '20'] }, 20_000],
    ['Anthropic', { resets: ['2023-11-14T22:13:50Z'] }, 30_000],
  ])('may say when: %s', (_name, failed, waitMs) => {
    expect(wait({ status: 429, ...failed })).toEqual({ waitMs });
  });
});

describe('a wait in words', () => {
  it.each([
    ['Rate limit reached. Please try again in 7m12s. Visit the console', 432_000],
    ['Please try again in 11h37m12.5s.', 41_832_500],
    ['Limit 20, try again in 120ms', 120],
    ['try again in 3 hours', 10_800_000],
    ['Retry after 30 seconds, 12 deployments are busy', 30_000],
    ['try again later', undefined],
    ['Please wait', undefined],
  ])('%j', (message, wait) => {
    expect(waitInWords(message)).toBe(wait);
  });
});

const failureWith = (over: object) => ({
  status: undefined,
  vendorCode: '',
  message: '',
  retryAfter: undefined,
  retryAfterMs: undefined,
  badReply: false,
  ...over,
});

describe('the hint of a failure', () => {
  it.each([
    [{ status: 429, vendorCode: 'insufficient_quota' }, /no credit or quota/],
    [{ status: 402, message: 'Payment required' }, /no credit or quota/],
    [{ badReply: true, message: 'the endpoint filtered the reply' }, /Reword the task/],
    [
      { badReply: true, message: 'the reply reached its token limit inside a tool call' },
      /larger output/,
    ],
    [{ status: 503, vendorCode: 'overloaded_error' }, /error in the message.*model\.fallbacks/],
  ])('of %o follows from what the endpoint said', (over, hint) => {
    expect(findHint(failureWith(over))).toMatch(hint);
  });

  it.each([{ message: 'the reply broke off' }, { status: 401 }, { status: 404 }, { status: 429 }])(
    'of %o is that of its code',
    over => expect(findHint(failureWith(over))).toBeUndefined(),
  );
});

describe('an error inside a reply', () => {
  it.each([
    ['rate_limit_exceeded', 429],
    ['insufficient_quota', 429],
    ['authentication_error', 401],
    ['permission_error', 403],
    ['model_not_found', 404],
    ['invalid_request_error', 400],
    ['overloaded_error', 503],
    ['502', 502],
    ['200', undefined],
    ['', undefined],
  ])('with the code %j has the status %s', (code, status) => {
    expect(findStatus(code)).toBe(status);
  });

  it('is kept from a chunk of chat completions', () => {
    const turn = emptyTurn(false);
    const error = { code: 502, message: 'Provider returned error' };
    chatApi.addEvent(turn, {
      choices: [{ index: 0, delta: {}, finish_reason: 'error', error }],
    } as never);
    expect(turn.endpointError).toEqual({ code: '502', message: 'Provider returned error' });
    expect(finishTurn(turn, 1)).toEqual({ problem: 'the reply broke off' });
  });
});
