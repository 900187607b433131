/** What the Responses API does otherwise. */
import { describe, expect, it } from 'vitest';
import { emptyTurn, finishTurn } from '../../../src/model/apis/partial-turn.ts';
import { responsesApi } from '../../../src/model/apis/responses.ts';
import { responsesReply } from '../../doubles/providers/openai-responses.ts';
import { readWhole, type Subject, said, streamed, subjects, turnOf } from './requests.ts';

describe('the responses api', () => {
  const { events } = subjects.responses as Subject;

  it('takes the items of the stream when the last event holds none, as some proxies send it', () => {
    const emptied = events.map(e =>
      'response' in e && Reflect.get(e, 'type') === 'response.completed'
        ? { ...e, response: { ...(e.response as object), output: [] } }
        : e,
    );
    expect(streamed(responsesApi, emptied)).toEqual(streamed(responsesApi, events));
  });

  it('ends with the error that the endpoint sends', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' };
    for (const event of [
      { type: 'response.failed', response: { status: 'failed', error } },
      { type: 'error', ...error },
    ]) {
      const partial = emptyTurn(false);
      responsesApi.addEvent(partial, event);
      expect(partial).toMatchObject({ problem: 'the reply broke off', endpointError: error });
    }
  });

  it('takes no reasoning item back that has no encrypted content', () => {
    const whole = responsesReply(said);
    const output = (whole.output as Record<string, unknown>[]).map(
      ({ encrypted_content: _, ...item }) => item,
    );
    const turn = turnOf(finishTurn(readWhole(responsesApi, { ...whole, output }), 1));
    expect(turn.opaque).toEqual({ api: 'responses', text: { phase: 'commentary' }, byCall: {} });
  });
});
