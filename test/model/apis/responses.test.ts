/** What the Responses API does otherwise. */
import { describe, expect, it } from 'vitest';
import { emptyTurn, finishTurn } from '../../../src/model/apis/chat.ts';
import { responsesWire } from '../../../src/model/apis/responses.ts';
import { responsesReply } from '../../doubles/providers/openai-responses.ts';
import type { Subject } from './requests.ts';
import { said, streamed, subjects, turnOf } from './requests.ts';

describe('the responses wire', () => {
  const { events } = subjects.responses as Subject;

  it('takes the items of the stream when the last event holds none, as some proxies send it', () => {
    const emptied = events.map(e =>
      'response' in e && Reflect.get(e, 'type') === 'response.completed'
        ? { ...e, response: { ...(e.response as object), output: [] } }
        : e,
    );
    expect(streamed(responsesWire, emptied)).toEqual(streamed(responsesWire, events));
  });

  it('ends with the error that the endpoint sends', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' };
    for (const event of [
      { type: 'response.failed', response: { status: 'failed', error } },
      { type: 'error', ...error },
    ]) {
      const partial = emptyTurn(false);
      responsesWire.addEvent(partial, event);
      expect(partial).toMatchObject({ problem: 'the reply broke off', endpointError: error });
    }
  });

  it('takes no reasoning item back that has no encrypted content', () => {
    const whole = responsesReply(said);
    const output = (whole.output as Record<string, unknown>[]).map(
      ({ encrypted_content: _, ...item }) => item,
    );
    const turn = turnOf(finishTurn(responsesWire.fromWhole({ ...whole, output }, false), 1));
    expect(turn.opaque).toEqual({ wire: 'responses', text: { phase: 'commentary' }, byCall: {} });
  });
});
