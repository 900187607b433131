import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { describe, expect, it } from 'vitest';
import { chatApi } from '../../../src/model/apis/chat.ts';
import { emptyTurn, finishTurn } from '../../../src/model/apis/partial-turn.ts';
import { readWhole } from './requests.ts';

const call = { index: 0, id: 'c', function: { name: 'patch', arguments: '{}' } };
const streamed = (deltas: readonly object[]) => {
  const partial = emptyTurn(false);
  for (const delta of [...deltas, { tool_calls: [call] }])
    chatApi.addEvent(partial, { choices: [{ delta }] } as unknown as ChatCompletionChunk);
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
    const partial = readWhole(chatApi, whole);
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

describe('a reply in another form', () => {
  const finish = 'stop';
  const read = (...deltas: readonly object[]) => {
    const partial = emptyTurn(false);
    for (const delta of deltas) chatApi.addEvent(partial, { choices: [{ delta }] });
    partial.finish = finish;
    return finishTurn(partial, 1);
  };

  it("has Mistral's parts: what is thought, and what is said", () => {
    const thinking = (text: string) => ({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
    });
    const parts = [
      thinking('The test fails. '),
      thinking('I read it.'),
      { content: [{ type: 'text', text: 'I read ' }] },
      { content: 'the test.' },
    ];
    expect(read(...parts)).toMatchObject({
      text: 'I read the test.',
      reasoning: 'The test fails. I read it.',
    });
    const [first] = parts;
    const message = { role: 'assistant', ...first, tool_calls: [call] };
    const whole = { choices: [{ message, finish_reason: 'tool_calls' }] };
    const partial = readWhole(chatApi, whole);
    expect(finishTurn(partial, 1)).toMatchObject({ text: '', reasoning: 'The test fails. ' });
  });

  it('is all reasoning: that is what was said', () => {
    expect(read({ reasoning_content: 'I am done.' })).toMatchObject({
      text: 'I am done.',
      reasoning: undefined,
      calls: [],
    });
    const cut = emptyTurn(false);
    chatApi.addEvent(cut, { choices: [{ delta: { reasoning: 'I am' }, finish_reason: 'length' }] });
    expect(finishTurn(cut, 1)).toEqual({ problem: 'the reply is empty (length)' });
  });
});

describe('a stream', () => {
  const calls = [
    { id: 'a', name: 'grep', argumentsText: '{"pattern":"x"}' },
    { id: 'b', name: 'read_code_block', argumentsText: '{"requests":[{"file_path":"a.js"}]}' },
  ];
  const chunkOf = (delta: object, finish?: string) =>
    ({ choices: [{ index: 0, delta, finish_reason: finish }] }) as never;
  const read = (parts: readonly object[], finish: string) => {
    const turn = emptyTurn(false);
    for (const part of parts) chatApi.addEvent(turn, chunkOf({ tool_calls: [part] }));
    chatApi.addEvent(turn, chunkOf({}, finish));
    return finishTurn(turn, 1);
  };

  it('with every parallel call at index 0 keeps the calls apart, with ids and without', () => {
    const whole = calls.map(({ id, name, argumentsText }) => ({
      index: 0,
      id,
      function: { name, arguments: argumentsText },
    }));
    expect(read(whole, 'tool_calls')).toMatchObject({ calls });
    const bare = read(
      whole.map(({ id: _, ...part }) => part),
      'tool_calls',
    );
    expect(bare).toMatchObject({ calls: calls.map(({ id: _, ...call }) => call) });
  });
});
