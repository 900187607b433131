/** What a refusal teaches, at strict endpoints of each API, streaming and not: the next request is taken. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { type ModelOptions, openModel } from '../../src/model/client.ts';
import { TooLongError } from '../../src/model/too-long.ts';
import type { Bill, Message, TokenUsage, Turn } from '../../src/model/turn.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { openaiChat } from '../doubles/providers/openai-chat.ts';
import { openaiResponses } from '../doubles/providers/openai-responses.ts';
import { type StrictProvider, startStrict } from '../doubles/providers/strict-server.ts';
import { request } from './apis/requests.ts';

const providers = { chat: openaiChat, responses: openaiResponses, messages: anthropic } as const;

type Json = Readonly<Record<string, unknown>>;

interface Row {
  readonly api: keyof typeof providers;
  /** True for a body that the endpoint refuses. */
  readonly refuses: (body: Json) => boolean;
  /** The body of the refusal. */
  readonly error: object;
  readonly status?: number;
  /** What is learned. */
  readonly learned: string;
}

const holds = (name: string) => (body: Json) => JSON.stringify(body).includes(`"${name}":`);
const at = (outer: string, inner: string) => (body: Json) => inner in Object(body[outer]);
const said = (message: string, param: string | null = null, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const anthropicSaid = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
});
const fastApi = (...path: readonly (string | number)[]) => ({
  detail: [
    { type: 'extra_forbidden', loc: ['body', ...path], msg: 'Extra inputs are not permitted' },
  ],
});

const messagesOf = (body: Json) => body.messages as readonly Json[];
const called = (body: Json) =>
  messagesOf(body).filter(m => m.role === 'assistant' && m.tool_calls !== undefined);

const rows: readonly (readonly [string, Row])[] = [
  [
    'include, of a model that does not reason',
    {
      api: 'responses',
      refuses: holds('include'),
      error: said('Encrypted content is not supported with this model.', 'include'),
      learned: 'it takes no include',
    },
  ],
  [
    // continuedev/continue#12031
    'reasoning.summary, of an organization that is not verified',
    {
      api: 'responses',
      refuses: at('reasoning', 'summary'),
      error: said(
        'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
        'reasoning.summary',
        'unsupported_value',
      ),
      learned: 'it takes no reasoning.summary',
    },
  ],
  [
    'reasoning.summary, where no field is named',
    {
      api: 'responses',
      refuses: at('reasoning', 'summary'),
      error: said('Your organization must be verified to generate reasoning summaries.'),
      learned: 'it takes no reasoning.summary',
    },
  ],
  [
    'encrypted reasoning, of a gateway with several accounts',
    {
      api: 'responses',
      refuses: holds('encrypted_content'),
      error: said(
        'The encrypted content gAAA… could not be verified. Reason: it was not created here.',
      ),
      learned: 'it does not take its reasoning back',
    },
  ],
  [
    'signed thinking, of a gateway with several accounts',
    {
      api: 'messages',
      refuses: holds('signature'),
      error: anthropicSaid('messages.1.content.0: Invalid `signature` in `thinking` block'),
      learned: 'it does not take its reasoning back',
    },
  ],
  [
    'prompt_cache_key, of a server that validates by FastAPI',
    {
      api: 'responses',
      refuses: holds('prompt_cache_key'),
      error: fastApi('prompt_cache_key'),
      status: 422,
      learned: 'it takes no prompt_cache_key',
    },
  ],
  [
    'max_output_tokens, of a backend without it',
    {
      api: 'responses',
      refuses: holds('max_output_tokens'),
      error: { detail: 'Unsupported parameter: max_output_tokens' },
      learned: 'it takes no max_output_tokens',
    },
  ],
  [
    'a larger limit of the reply',
    {
      api: 'responses',
      refuses: body => Number(body.max_output_tokens) > 500,
      error: said(
        'max_output_tokens is too large: 1000. This model supports at most 500 completion tokens.',
        'max_output_tokens',
        'invalid_value',
      ),
      learned: 'its replies have a smaller limit',
    },
  ],
  [
    // BerriAI/litellm#17250, cg-dot/vertexai-cf-workers#21
    'cache_control, of a gateway',
    {
      api: 'messages',
      refuses: holds('cache_control'),
      error: anthropicSaid(
        'messages.0.content.0.text.cache_control: Extra inputs are not permitted',
      ),
      learned: 'it takes no cache_control',
    },
  ],
  [
    'thinking, of a model without the adaptive one',
    {
      api: 'messages',
      refuses: body => body.thinking !== undefined,
      error: anthropicSaid('adaptive thinking is not supported on this model'),
      learned: 'it takes no thinking',
    },
  ],
  [
    'thinking, of a gateway that knows its older kinds alone',
    {
      api: 'messages',
      refuses: body => body.thinking !== undefined,
      error: anthropicSaid("thinking.type: Input should be 'enabled' or 'disabled'"),
      learned: 'it takes no thinking',
    },
  ],
  [
    'the effort, of a model without it',
    {
      api: 'messages',
      refuses: holds('output_config'),
      error: anthropicSaid('This model does not support the effort parameter.'),
      learned: 'it takes no output_config',
    },
  ],
  [
    'thinking.display, of an older gateway',
    {
      api: 'messages',
      refuses: at('thinking', 'display'),
      error: anthropicSaid('thinking.adaptive.display: Extra inputs are not permitted'),
      learned: 'it takes no thinking.display',
    },
  ],
  [
    'a larger limit of the reply',
    {
      api: 'messages',
      refuses: body => Number(body.max_tokens) > 500,
      error: anthropicSaid(
        'max_tokens: 1000 > 500, which is the maximum allowed number of output tokens for claude-3-7-sonnet-20250219',
      ),
      learned: 'its replies have a smaller limit',
    },
  ],
  [
    'reasoning_effort, of a model without it',
    {
      api: 'chat',
      refuses: holds('reasoning_effort'),
      error: {
        code: 'invalid-argument',
        error: 'Model m does not support parameter reasoningEffort.',
      },
      learned: 'it takes no reasoning_effort',
    },
  ],
  [
    'reasoning_effort, of a model of Ollama without it',
    {
      api: 'chat',
      refuses: holds('reasoning_effort'),
      error: { error: '"qwen3-coder" does not support thinking' },
      learned: 'it takes no reasoning_effort',
    },
  ],
  ...(
    [
      // mistralai/mistral-common#324
      [
        422,
        {
          detail: [
            {
              type: 'string_type',
              loc: ['body', 'messages', 2, 'content'],
              msg: 'Input should be a valid string',
              input: null,
            },
          ],
        },
      ],
      // lmstudio-ai/lmstudio-bug-tracker#261
      [
        400,
        { error: "Invalid 'content': 'content' field must be a string or an array of objects." },
      ],
      [400, said("Invalid value for 'content': expected a string, got null.")],
    ] as const
  ).map(([status, error], i): readonly [string, Row] => [
    `content that is null, in form ${i + 1}`,
    {
      api: 'chat',
      status,
      error,
      refuses: body => messagesOf(body).some(m => m.content === null),
      learned: 'it takes no content of null',
    },
  ]),
  [
    // Bedrock behind a gateway (vercel/ai#13538): neither null nor an empty text
    'content that is empty',
    {
      api: 'chat',
      error: said(
        'The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.',
      ),
      refuses: body => called(body).some(m => m.content === null || m.content === ''),
      learned: 'it takes no empty content',
    },
  ],
  ...(
    [
      // earendil-works/pi#3636
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      // bytedance/deer-flow#3043; an empty one is refused as well (charmbracelet/crush#2696)
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    ] as const
  ).map((message, i): readonly [string, Row] => [
    `a reply whose reasoning_content is missing, in form ${i + 1}`,
    {
      api: 'chat',
      error: said(message),
      refuses: body => called(body).some(m => (m.reasoning_content ?? '') === ''),
      learned: 'it wants reasoning_content with each call',
    },
  ]),
];

/** A conversation in which a reply had neither text nor reasoning. */
const messages: readonly Message[] = [
  { role: 'system', text: 'Rules.' },
  { role: 'user', text: 'Task.' },
  {
    role: 'assistant',
    text: '',
    calls: [{ id: 'call_1', name: 'read_code_block', argumentsText: '{}' }],
  },
  { role: 'tool', callId: 'call_1', name: 'read_code_block', text: 'content' },
];

const reasoningOf: Readonly<Record<Row['api'], Json>> = {
  chat: {},
  responses: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret-1' },
  messages: { type: 'thinking', thinking: 'I read.', signature: 'secret-1' },
};

/** The same conversation, whose reply came with reasoning of the API. */
const withReasoning = (api: Row['api']): readonly Message[] =>
  messages.map(message =>
    message.role === 'assistant' && api !== 'chat'
      ? {
          ...message,
          opaque: { api, text: {}, byCall: { call_1: { before: [reasoningOf[api]] } } },
        }
      : message,
  );

const never = new AbortController().signal;

const open = (url: string, api: Row['api'], more: Partial<ModelOptions>) =>
  openModel({
    baseUrl: api === 'chat' ? `${url}/v1` : url,
    model: 'm',
    api,
    apiKey: async () => 'key-1',
    clock: { now: () => 0, random: () => 0, sleep: async () => {} },
    deadline: 1_000_000,
    log: () => {},
    ...more,
  });

async function ask(
  url: string,
  api: Row['api'],
  learned: string[],
): Promise<readonly [Turn, Turn]> {
  const model = open(url, api, {
    reasoningEffort: 'low',
    onLearned: phrase => learned.push(phrase),
  });
  return [
    await model.complete(request(withReasoning(api)), never),
    await model.complete(request(withReasoning(api)), never),
  ];
}

describe.each([true, false])(
  'an optional field that is refused is left out (streams: %s)',
  streams => {
    it.each(rows)('%s', async (_name, { api, refuses, error, status = 400, learned: phrase }) => {
      const provider: StrictProvider = providers[api];
      const gateway: StrictProvider = {
        ...provider,
        status,
        refusal: (body, headers) => {
          if (!streams && body.stream === true) return 'Streaming is not supported for this model.';
          return refuses(body) ? 'refused' : provider.refusal(body, headers);
        },
        error: message => (message === 'refused' ? error : provider.error(message)),
      };
      const turn = { text: 'I read.', calls: [{ id: 'c1', name: 'grep', arguments: {} }] };
      const server = await startStrict(gateway, [turn, turn]);
      try {
        const learned: string[] = [];
        const [first, second] = await ask(server.url, api, learned);
        expect(first.text + second.text).toBe('I read.I read.');
        expect(learned.filter(l => l !== 'it does not stream')).toEqual([phrase]);
        // learned once: the second request is taken at once
        expect(server.bodies).toHaveLength(server.refusals.length + 2);
        expect(server.bodies.slice(0, -2).map(refuses)).toContain(true);
        expect(server.bodies.slice(-2).map(refuses)).toEqual([false, false]);
      } finally {
        await server.close();
      }
    });
  },
);

describe('thinking whose text is left out', () => {
  it('is asked for as a summary from the next request on, and told once', async () => {
    const hidden: StrictProvider = {
      ...anthropic,
      events: (turn, promptTokens) =>
        anthropic
          .events({ ...turn, reasoning: 'It fails.' }, promptTokens)
          .filter(event => !JSON.stringify(event).includes('"thinking_delta"')),
    };
    const turn = { text: 'I read.', calls: [{ id: 'c1', name: 'grep', arguments: {} }] };
    const server = await startStrict(hidden, [turn, turn, turn]);
    try {
      const learned: string[] = [];
      const model = open(server.url, 'messages', { onLearned: phrase => learned.push(phrase) });
      for (let n = 0; n < 3; n++) await model.complete(request(messages), never);
      expect(learned).toEqual(['the text of its thinking is empty until a summary is asked for']);
      const summary = { type: 'adaptive', display: 'summarized' };
      expect(server.bodies.map(body => body.thinking)).toEqual([undefined, summary, summary]);
      expect(server.refusals).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

it('an address without its path is completed once, and the run says so', async () => {
  const turn = { text: 'I read.', calls: [{ id: 'c1', name: 'grep', arguments: {} }] };
  const server = await startStrict(
    { ...openaiChat, status: 404, error: () => ({ detail: 'Not Found' }) },
    [turn, turn],
  );
  try {
    const learned: string[] = [];
    const model = open(server.url, 'chat', {
      baseUrl: server.url,
      onLearned: phrase => learned.push(phrase),
    });
    for (let n = 0; n < 2; n++) await model.complete(request(messages), never);
    expect(learned).toEqual([
      `base-url has no API (HTTP 404), so it is looked for at ${server.url}/v1`,
    ]);
    expect(server.bodies).toHaveLength(3);
  } finally {
    await server.close();
  }
});

describe('a body is what it begins with, whatever type it has', () => {
  const reply = { choices: [{ message: { role: 'assistant', content: 'I am done.' } }] };
  const answer = (text: string, type: string | undefined) => async () =>
    new Response(text, { headers: type === undefined ? {} : { 'content-type': type } });
  const types = ['text/plain', 'text/event-stream', 'application/octet-stream', undefined];

  it.each(types)('a whole reply as %s', async type => {
    const model = open('http://127.0.0.1:9', 'chat', {
      fetch: answer(` ${JSON.stringify(reply, undefined, 2)}`, type),
    });
    expect(await model.complete(request(messages), never)).toMatchObject({ text: 'I am done.' });
  });

  it.each(types)('an error as %s', async type => {
    const error = { error: { message: 'No such team', code: 'invalid_api_key' } };
    const model = open('http://127.0.0.1:9', 'chat', {
      fetch: answer(JSON.stringify(error), type),
    });
    await expect(model.complete(request(messages), never)).rejects.toMatchObject({
      code: 'MODEL_AUTH',
      message: expect.stringContaining('No such team'),
    });
  });

  it.each(types)('a page as %s', async type => {
    const page = '\n<!DOCTYPE html><html><head><title>Sign in</title></head></html>';
    const model = open('http://127.0.0.1:9', 'chat', { fetch: answer(page, type) });
    await expect(model.complete(request(messages), never)).rejects.toMatchObject({
      code: 'MODEL_REQUEST',
      message: expect.stringContaining('"Sign in"'),
    });
  });

  it('nothing: asked for again, and then perhaps too long', async () => {
    let asked = 0;
    const model = open('http://127.0.0.1:9', 'chat', {
      fetch: async () => {
        asked += 1;
        return new Response('', { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const failed = model.complete(request(messages), never);
    await expect(failed).rejects.toBeInstanceOf(TooLongError);
    await expect(failed).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(asked).toBe(4);
  });
});

/** The events of a reply of 400 letters, of which the last ones are lost, for endpoints that count 900 tokens of the prompt. */
function breakOff(api: Row['api'], lost: number): typeof fetch {
  const turn = { text: 'word '.repeat(80), calls: [] };
  const events = providers[api].events(turn, 900) as readonly Json[];
  const sent = events.slice(0, events.length - lost).map(event => {
    const named = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    return `${named}data: ${JSON.stringify(event)}\n\n`;
  });
  const stream = { headers: { 'content-type': 'text/event-stream' } };
  return async () => new Response(sent.join(''), stream);
}

describe.each(['chat', 'responses', 'messages'] as const)(
  'a reply of %s that is thrown away',
  api => {
    const count = async (lost: number, allow: (asked: number) => number = () => 100) => {
      const spent: TokenUsage[] = [];
      const bill: Bill = {
        allow: () => allow(spent.length),
        discard: (usage, model) => {
          expect(model).toBe('m');
          spent.push(usage);
        },
      };
      const model = open('http://127.0.0.1:9', api, { fetch: breakOff(api, lost) });
      const asked = { ...request(messages), bill };
      const failed = await model.complete(asked, never).catch((error: unknown) => error);
      return { spent, failed };
    };

    it('counts for each try, by what arrived of it', async () => {
      const { spent, failed } = await count(2);
      expect(failed).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(spent).toHaveLength(4);
      for (const { inputTokens, outputTokens } of spent) {
        // Messages counts the prompt before the reply; the others count at the end, which was lost
        expect(inputTokens).toBe(api === 'messages' ? 900 : spent[0]?.inputTokens);
        expect(inputTokens).toBeGreaterThan(20);
        expect(outputTokens).toBeGreaterThanOrEqual(api === 'chat' ? 99 : 100);
        expect(outputTokens).toBeLessThan(130);
      }
    });

    it('is not asked for again once the budget has no room', async () => {
      const { spent, failed } = await count(2, asked => {
        if (asked > 1) throw new PhotonError('BUDGET_COST');
        return 100;
      });
      expect(failed).toMatchObject({ code: 'BUDGET_COST' });
      expect(spent).toHaveLength(2);
    });
  },
);

it('counts of 0 are estimated, and those of a refused reply are taken', async () => {
  const reply = (finish: string, usage: object) => async () =>
    new Response(
      JSON.stringify({
        choices: [{ message: { content: 'four letters' }, finish_reason: finish }],
        usage,
      }),
    );
  const zero = { prompt_tokens: 0, completion_tokens: 0 };
  const model = open('http://127.0.0.1:9', 'chat', { fetch: reply('stop', zero) });
  const { usage } = await model.complete(request(messages), never);
  expect(usage.outputTokens).toBe(3);
  expect(usage.inputTokens).toBeGreaterThan(20);
  const spent: TokenUsage[] = [];
  const bill: Bill = { allow: () => 100, discard: used => spent.push(used) };
  const counted = { prompt_tokens: 700, completion_tokens: 5 };
  const filtered = open('http://127.0.0.1:9', 'chat', { fetch: reply('content_filter', counted) });
  await expect(filtered.complete({ ...request(messages), bill }, never)).rejects.toMatchObject({
    code: 'MODEL_OUTPUT',
  });
  expect(spent).toEqual([
    { inputTokens: 700, outputTokens: 5 },
    { inputTokens: 700, outputTokens: 5 },
  ]);
});

it('a reply whose tokens all went into its thinking may have more, and the run says so', async () => {
  const replies = [
    { message: { content: '', reasoning_content: 'Hm.' }, finish_reason: 'length' },
    { message: { content: 'I am done.' }, finish_reason: 'stop' },
  ];
  const limits: unknown[] = [];
  const learned: string[] = [];
  const model = open('http://127.0.0.1:9', 'chat', {
    onLearned: phrase => learned.push(phrase),
    fetch: async (_url, init) => {
      limits.push(JSON.parse(String(init?.body)).max_tokens);
      return new Response(JSON.stringify({ choices: [replies[limits.length - 1]] }));
    },
  });
  const bill: Bill = { allow: raise => 100 * raise, discard: () => {} };
  const turn = await model.complete({ ...request(messages), bill }, never);
  expect(turn.text).toBe('I am done.');
  expect(limits).toEqual([100, 400]);
  expect(learned).toEqual(['a reply ended inside its thinking, so it may have 4 times the tokens']);
});

it('a redirect names its target, without what may be secret in it', async () => {
  const location = 'https://user:hunter2@llm.example/v2/chat/completions?key=hunter2';
  const model = open('http://127.0.0.1:9', 'chat', {
    fetch: async () => new Response(null, { status: 308, headers: { location } }),
  });
  const failed = model.complete(request(messages), never);
  await expect(failed).rejects.toThrow('redirects to https://llm.example/v2/chat/completions;');
  await expect(failed).rejects.not.toThrow('hunter2');
});

it.each([
  [400, 'Incorrect API key provided', 'MODEL_AUTH'],
  [400, 'The model gpt-9 does not exist', 'MODEL_NOT_FOUND'],
  [400, 'temperature is too high', 'MODEL_REQUEST'],
])('an error of HTTP %i with the words "%s" is %s', async (status, message, code) => {
  const body = JSON.stringify({ error: { message } });
  const model = open('http://127.0.0.1:9', 'chat', {
    fetch: async () => new Response(body, { status }),
  });
  await expect(model.complete(request(messages), never)).rejects.toMatchObject({ code });
});

it('a call that a server could not parse is told to the model', async () => {
  const asked: string[] = [];
  const model = open('http://127.0.0.1:9', 'chat', {
    fetch: async (_url, init) => {
      asked.push(String(init?.body));
      const error = { message: 'Failed to parse input at pos 12: <tool_call>', code: 500 };
      return asked.length === 1
        ? new Response(JSON.stringify({ error }), { status: 500 })
        : new Response(JSON.stringify({ choices: [{ message: { content: 'Done.' } }] }));
    },
  });
  const correction = (quoted: string) => `Nobody could read this: ${quoted}`;
  await model.complete({ ...request(messages), correction }, never);
  expect(asked[1]).toContain('Nobody could read this: Failed to parse input at pos 12');
});
