import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { addChunk, emptyTurn, finishTurn, fromCompletion } from '../../src/model/native.ts';

const call = { index: 0, id: 'c', function: { name: 'patch', arguments: '{}' } };
const streamed = (deltas: readonly object[]) => {
  const partial = emptyTurn(false);
  for (const delta of [...deltas, { tool_calls: [call] }])
    addChunk(partial, { choices: [{ delta }] } as unknown as ChatCompletionChunk);
  partial.finish = 'tool_calls';
  return finishTurn(partial, 1);
};

describe('the reasoning beside the text of a reply', () => {
  it.each([
    ['reasoning_content', [{ reasoning_content: 'I need ' }, { reasoning_content: 'it.' }]],
    ['reasoning', [{ reasoning: 'I need ' }, { reasoning: 'it.' }]],
    [
      'reasoning_details',
      [
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'I need ' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'it.' }, null, { data: 'x' }] },
      ],
    ],
    [
      'one of two fields with the same text',
      [{ reasoning: 'I need it.', reasoning_details: [{ text: 'I need it.' }] }],
    ],
  ])('is read from %s', (_name, deltas) => {
    expect(streamed(deltas)).toMatchObject({ text: '', reasoning: 'I need it.' });
  });

  it('is read from a whole completion, and is absent without one', () => {
    const message = { content: null, reasoning_content: 'I need it.', tool_calls: [call] };
    const whole = { choices: [{ message, finish_reason: 'tool_calls' }] };
    const partial = fromCompletion(whole as unknown as ChatCompletion, false);
    expect(finishTurn(partial, 1)).toMatchObject({ reasoning: 'I need it.' });
    expect(streamed([{ content: 'x', reasoning: 7, reasoning_details: 'x' }])).toHaveProperty(
      'reasoning',
      undefined,
    );
  });

  it('is kept up to a bound', () => {
    const turn = streamed(Array.from({ length: 30 }, () => ({ reasoning: 'x'.repeat(1000) })));
    expect('reasoning' in turn && turn.reasoning).toHaveLength(20_000);
  });
});
