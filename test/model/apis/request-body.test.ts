/** Random odd replies, of any API, and every request after them fits what its vendor takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiName } from '../../../src/model/apis/api.ts';
import { apis } from '../../../src/model/apis/index.ts';
import { finishTurn } from '../../../src/model/apis/partial-turn.ts';
import { makeRequestBody } from '../../../src/model/apis/request-body.ts';
import type { Message } from '../../../src/model/turn.ts';
import {
  chatProblems,
  messagesProblems,
  responsesProblems,
} from '../../doubles/providers/request-schemas.ts';
import { isAll, seed } from '../../seed.ts';
import { facts, readWhole, request } from './requests.ts';

const problemsOf = {
  chat: chatProblems,
  responses: responsesProblems,
  messages: messagesProblems,
} as const;

const apiNames = ['chat', 'responses', 'messages'] as const;

/** A call as an endpoint may send it. */
interface OddCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** A reply as an endpoint may send it. */
interface OddReply {
  readonly api: ApiName;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly OddCall[];
}

const half = '\ud83d';
const oddText = fc.oneof(
  fc.constantFrom('', ' ', 'I read it.', `cut in a smile ${half}`, `\udc00${half}x`, '\0'),
  fc.string({ unit: 'binary' }),
);
const oddArguments = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{}',
    '{"path":"a.ts"}',
    '{"path":"a.ts"',
    '{"cmd": "cat > /tmp/x',
    '[1]',
    'null',
    'NaN',
    '"{}"',
    '{"a":NaN}',
    '{"a":"\\ud83d"}',
    '{"\\ud83d":{"b":["\\udc00"]}}',
    `{"a":"${half}"}`,
    '{"__proto__":{"a":1},"constructor":1}',
    `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  ),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
const oddCall: fc.Arbitrary<OddCall> = fc.record({
  id: fc.oneof(
    fc.constantFrom(
      '',
      'call_0',
      'call_0_2',
      'read_file:0',
      'functions.grep:0',
      '__proto__',
      'constructor',
      `x${half}`,
      `x${half.repeat(2)}`,
      'y'.repeat(300),
    ),
    fc.string({ unit: 'binary' }),
  ),
  name: fc.constantFrom('read_code_block', 'grep<|channel|>commentary', '', 'functions.grep', half),
  args: oddArguments,
});
const oddReply: fc.Arbitrary<OddReply> = fc.record({
  api: fc.constantFrom(...apiNames),
  text: oddText,
  reasoning: oddText,
  calls: fc.array(oddCall, { maxLength: 4 }),
});

/** The whole reply in the form of its API. */
function wholeOf({ api, text, reasoning, calls }: OddReply): object {
  switch (api) {
    case 'chat': {
      const tool_calls = calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
        extra_content: { google: { thought_signature: 'x' } },
      }));
      const message = {
        role: 'assistant',
        content: text,
        reasoning_content: reasoning,
        tool_calls,
      };
      return { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    }
    case 'responses':
      return {
        object: 'response',
        status: 'completed',
        output: [
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: reasoning }],
            encrypted_content: 'secret',
          },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
          ...calls.map(({ id, name, args }) => ({
            type: 'function_call',
            id: 'fc_1',
            call_id: id,
            name,
            arguments: args,
          })),
        ],
      };
    case 'messages':
      return {
        type: 'message',
        stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
        content: [
          { type: 'thinking', thinking: reasoning, signature: 'secret' },
          { type: 'text', text },
          ...calls.map(({ id, name, args }) => ({
            type: 'tool_use',
            id,
            name,
            input: {},
            partial_json: args,
          })),
        ],
      };
  }
}

/** The conversation after the replies that were turns: each call has a result, cut in a character as some are. */
function conversationOf(replies: readonly OddReply[]): readonly Message[] {
  const rounds = replies.flatMap((reply): readonly Message[] => {
    const turn = finishTurn(readWhole(apis[reply.api], wholeOf(reply)), 1);
    if ('problem' in turn) return [];
    const { text, calls, opaque } = turn;
    const results = calls.map(
      ({ id, name }): Message => ({ role: 'tool', callId: id, name, text: `3\ta ${half}` }),
    );
    const next: Message = { role: 'user', text: 'Go on.' };
    return [{ role: 'assistant', text, calls, opaque }, ...results, next];
  });
  return [{ role: 'system', text: 'Rules.' }, { role: 'user', text: 'Task.' }, ...rounds];
}

describe.each(apiNames)('a request by %s', api => {
  const sent = (messages: readonly Message[]) =>
    makeRequestBody(request(messages), 'm', { ...facts, api });

  it('fits the schema of its vendor after any replies', () => {
    fc.assert(
      fc.property(fc.array(oddReply, { maxLength: 5 }), replies => {
        expect(problemsOf[api](sent(conversationOf(replies)))).toEqual([]);
      }),
      { seed, numRuns: isAll ? 5_000 : 300 },
    );
  });

  it('is not changed where nothing is odd, and keeps its beginning as it grows', () => {
    const round = (n: number): readonly Message[] => [
      {
        role: 'assistant',
        text: 'I read.',
        calls: [{ id: 'call_0', name: 'read_code_block', argumentsText: '{"path": "a.ts"}' }],
      },
      { role: 'tool', callId: 'call_0', name: 'read_code_block', text: `line ${n}` },
    ];
    const start: readonly Message[] = [{ role: 'user', text: 'Task.' }];
    const rounds = [1, 2, 3].map(round);
    const [first = [], second = []] = rounds;
    const one = [...start, ...first];
    expect(sent(one)).toEqual(apis[api].body(request(one), 'm', { ...facts, api }));
    const listOf = (messages: readonly Message[]) => {
      const body = sent(messages);
      const list = (body.messages ?? body.input) as readonly object[];
      // the marks of the cache move on
      return JSON.stringify(list).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    };
    const shorter = listOf([...one, ...second]);
    expect(listOf([...one, ...second, ...(rounds[2] ?? [])])).toContain(shorter.slice(0, -1));
  });
});

it('without the gate, what one odd reply left would be refused each time', () => {
  const messages: readonly Message[] = [
    { role: 'user', text: `half ${half}` },
    ...[1, 2].flatMap((): readonly Message[] => [
      {
        role: 'assistant',
        text: '',
        calls: [{ id: 'call_0', name: 'grep', argumentsText: '{"a": "cut' }],
      },
      { role: 'tool', callId: 'call_0', name: 'grep', text: 'none' },
    ]),
  ];
  const raw = apis.chat.body(request(messages), 'm', { ...facts, api: 'chat' });
  expect(chatProblems(raw)).toEqual([
    '.messages.0.content: no low surrogate in string',
    'Unterminated string or no JSON in arguments: {"a": "cut',
    'Unterminated string or no JSON in arguments: {"a": "cut',
    'the call id call_0 is not unique',
  ]);
});
