/** What people are told to do about a failed request to a model, by what the endpoint said. */
import { describe, expect, it } from 'vitest';
import { addChunk, emptyTurn, finishTurn } from '../../src/model/apis/chat.ts';
import { hintOfFailure, statusOfCode } from '../../src/model/hint-of-failure.ts';

const failure = (over: object) => ({
  status: null,
  vendorCode: '',
  message: '',
  retryAfter: null,
  retryAfterMs: null,
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
    expect(hintOfFailure(failure(over))).toMatch(hint);
  });

  it.each([{ message: 'the reply broke off' }, { status: 401 }, { status: 404 }, { status: 429 }])(
    'of %o is that of its code',
    over => expect(hintOfFailure(failure(over))).toBeUndefined(),
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
    ['200', null],
    ['something', null],
    ['', null],
  ])('with the code %j has the status %s', (code, status) => {
    expect(statusOfCode(code)).toBe(status);
  });

  it('is kept from a chunk of chat completions', () => {
    const turn = emptyTurn(false);
    const error = { code: 502, message: 'Provider returned error' };
    addChunk(turn, { choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] } as never);
    expect(turn.endpointError).toEqual({ code: '502', message: 'Provider returned error' });
    expect(finishTurn(turn, 1)).toEqual({ problem: 'the reply broke off' });
  });
});
