/** What the Messages API does otherwise. */
import { describe, expect, it } from 'vitest';
import { messagesApi } from '../../../src/model/apis/messages.ts';
import { emptyTurn, finishTurn } from '../../../src/model/apis/partial-turn.ts';
import { makeRequestBody } from '../../../src/model/apis/request-body.ts';
import { facts, readWhole, request, type Subject, streamed, subjects } from './requests.ts';

describe('the messages api', () => {
  it('merges results and texts into one user turn and marks the stable prefix', () => {
    const call = (id: string) => ({ id, name: 'read_code_block', argumentsText: 'no json' });
    const result = (callId: string) => ({
      role: 'tool' as const,
      callId,
      name: 'read_code_block',
      text: callId === 'b' ? '' : 'text',
    });
    const body = makeRequestBody(
      request([
        { role: 'system', text: 'Rules.' },
        { role: 'user', text: 'Task.' },
        { role: 'assistant', text: ' ', calls: [call('a'), call('b')] },
        result('a'),
        result('b'),
        { role: 'user', text: 'Go on.' },
      ]),
      'm',
      { ...facts, api: 'messages', reasoningEffort: 'high' },
    );
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body).toEqual({
      model: 'm',
      stream: true,
      max_tokens: 1000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
      system: [{ type: 'text', text: 'Rules.', ...mark }],
      tools: [
        {
          name: 'read_code_block',
          description: 'Reads.',
          input_schema: { type: 'object', properties: {} },
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Task.', ...mark }] },
        {
          role: 'assistant',
          content: ['a', 'b'].map(id => ({
            type: 'tool_use',
            id,
            name: 'read_code_block',
            input: { unreadable: 'no json' },
          })),
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'text' }] },
            { type: 'tool_result', tool_use_id: 'b', content: [] },
            { type: 'text', text: 'Go on.', ...mark },
          ],
        },
      ],
    });
  });

  it('refuses arguments that arrived damaged', () => {
    const { events } = subjects.messages as Subject;
    const twice = events.flatMap(e => (JSON.stringify(e).includes('partial_json') ? [e, e] : [e]));
    expect(streamed(messagesApi, twice)).toEqual({
      problem: 'the arguments of a tool call arrived damaged',
    });
  });

  it('ends with the error that the endpoint sends', () => {
    const partial = emptyTurn(false);
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    messagesApi.addEvent(partial, { type: 'error', error });
    expect(partial.endpointError).toEqual({ code: 'overloaded_error', message: 'Overloaded' });
    expect(finishTurn(readWhole(messagesApi, { type: 'error', error }), 1)).toEqual({
      problem: 'the reply broke off',
    });
  });
});
