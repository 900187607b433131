import { describe, expect, it } from 'vitest';
import { firstFacts, isPrivateAddress, learnFrom } from '../../src/model/endpoint-facts.ts';
import { addChunk, emptyTurn, finishTurn, requestBody } from '../../src/model/native.ts';
import type { Failure } from '../../src/model/retry.ts';
import { randomOf } from '../seed.ts';

const failure = (message: string, status = 400): Failure => ({
  status,
  message,
  vendorCode: '',
  retryAfter: null,
  retryAfterMs: null,
  badReply: false,
});

describe('what a refusal teaches', () => {
  it.each<[string, object]>([
    [
      "Unsupported parameter: 'max_completion_tokens' is not supported.",
      { tokenLimitKey: 'max_tokens' },
    ],
    [
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens',
      { maxReplyTokens: 4096 },
    ],
    [
      'Invalid max_tokens value, the valid range of max_tokens must be between 1 and 2048',
      { maxReplyTokens: 2048 },
    ],
    ['Unrecognized request argument supplied: stream_options', { streamOptions: false }],
    ['streaming is not supported with tools', { stream: false }],
    ["set reasoning_effort to 'none' to use tools", { reasoningEffort: 'none' }],
    ['messages.2.reasoning_content: Extra inputs are not permitted', { echoReasoning: false }],
    ['Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.', { shortIds: true }],
  ])('%s', (message, expected) => {
    const learned = learnFrom(failure(message), firstFacts);
    expect(learned?.facts).toEqual({ ...firstFacts, ...expected });
    // nothing is learned twice
    expect(learned && learnFrom(failure(message), learned.facts)).toBeNull();
  });

  it('is nothing for other refusals and for failures of the endpoint', () => {
    expect(learnFrom(failure('The model does not exist', 404), firstFacts)).toBeNull();
    expect(learnFrom(failure('max_completion_tokens', 500), firstFacts)).toBeNull();
  });

  it('a limit of zero tokens is never sent', () => {
    const request = { messages: [], tools: [], maxOutputTokens: 300, retries: 'backoff' as never };
    const body = requestBody(request, 'm', { ...firstFacts, maxReplyTokens: 4096 });
    expect(body.max_completion_tokens).toBe(300);
  });
});

it.each([
  ['http://127.0.0.1:11434/v1', true],
  ['http://localhost:8080', true],
  ['http://192.168.1.9/v1', true],
  ['http://10.0.0.8/v1', true],
  ['http://172.20.0.2/v1', true],
  ['http://[::1]:1/v1', true],
  ['http://172.32.0.2/v1', false],
  ['https://api.openai.com/v1', false],
  ['https://10.example.com/v1', false],
  ['no address', false],
])('%s needs no key: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

describe('a stream', () => {
  const calls = [
    { id: 'a', name: 'grep', argumentsText: '{"pattern":"x"}' },
    { id: 'b', name: 'read_code_block', argumentsText: '{"requests":[{"file_path":"a.js"}]}' },
  ];
  const partsOf = ({ id, name, argumentsText }: (typeof calls)[number], index: number) => [
    { index, id, function: { name, arguments: '' } },
    ...(argumentsText.match(/.{1,6}/g) ?? []).map(piece => ({
      index,
      function: { arguments: piece },
    })),
  ];
  const chunkOf = (delta: object, finish: string | null = null) =>
    ({ choices: [{ index: 0, delta, finish_reason: finish }] }) as never;
  const read = (parts: readonly object[], finish: string | null) => {
    const turn = emptyTurn(false);
    for (const part of parts) addChunk(turn, chunkOf({ tool_calls: [part] }));
    if (finish !== null) addChunk(turn, chunkOf({}, finish));
    return finishTurn(turn, 1);
  };

  it('whose calls are interleaved gives the calls that were sent', () => {
    const random = randomOf('streams');
    for (let i = 0; i < 200; i++) {
      const [one = [], other = []] = calls.map(partsOf);
      const mixed: object[] = [];
      while (one.length + other.length > 0) {
        const from = other.length === 0 || (one.length > 0 && random() < 0.5) ? one : other;
        mixed.push(from.shift() ?? {});
      }
      expect(read(mixed, 'tool_calls')).toMatchObject({ calls });
    }
  });

  it('that is cut anywhere is no turn', () => {
    const parts = calls.flatMap(partsOf);
    for (let end = 0; end <= parts.length; end++)
      expect(read(parts.slice(0, end), null)).toEqual({ problem: 'the reply broke off' });
  });

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
