import { describe, expect, it } from 'vitest';
import { firstFacts } from '../../src/model/apis/api.ts';
import { chatApi } from '../../src/model/apis/chat.ts';
import { learnFrom, startFacts, toolsMissing } from '../../src/model/endpoint-facts.ts';
import type { Failure } from '../../src/model/retry.ts';

const failure = (message: string, status = 400): Failure => ({
  status,
  message,
  vendorCode: '',
  retryAfter: undefined,
  retryAfterMs: undefined,
  badReply: false,
});

describe('an endpoint before its first request', () => {
  it('is as a person set it, whatever the table says', () => {
    const baseUrl = 'https://api.openai.com/v1';
    const chosen = { api: 'chat', reasoningEffort: 'high', extraBody: { top_p: 1 } } as const;
    expect(startFacts({ baseUrl, model: 'gpt-5.6-codex', ...chosen })).toMatchObject({
      api: 'chat',
      reasoningEffort: 'high',
      extraBody: { top_p: 1 },
    });
  });

  it('gets what a person added, but for the fields of the run', () => {
    const request = { messages: [], tools: [], maxOutputTokens: 300, retries: 'fixed' as const };
    const extraBody = { top_p: 1, model: 'other', max_tokens: 9 };
    expect(chatApi.body(request, 'm', { ...firstFacts, extraBody })).toMatchObject({
      top_p: 1,
      model: 'm',
      max_tokens: 300,
    });
  });
});

describe('what a refusal teaches', () => {
  it.each<[string, object]>([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { tokenLimitKey: 'max_completion_tokens' },
    ],
    ["Unknown parameter: 'max_tokens'.", { tokenLimitKey: null }],
    [
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens',
      { maxReplyTokens: 4096 },
    ],
    [
      'Invalid max_tokens value, the valid range of max_tokens must be between 1 and 2048',
      { maxReplyTokens: 2048 },
    ],
    [
      'Unrecognized request argument supplied: stream_options',
      { refused: new Set(['stream_options']) },
    ],
    ['streaming is not supported with tools', { stream: false }],
    ["set reasoning_effort to 'none' to use tools", { reasoningEffort: 'none' }],
    [
      'messages.2.reasoning_content: Extra inputs are not permitted',
      { refused: new Set(['reasoning_content']) },
    ],
    ['Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.', { shortIds: true }],
  ])('%s', (message, expected) => {
    const learned = learnFrom(failure(message), firstFacts);
    expect(learned?.facts).toEqual({ ...firstFacts, ...expected });
    // nothing is learned twice
    expect(learned && learnFrom(failure(message), learned.facts)).toBeUndefined();
  });

  it('is nothing for other refusals and for failures of the endpoint', () => {
    expect(learnFrom(failure('The model does not exist', 404), firstFacts)).toBeUndefined();
    expect(learnFrom(failure('max_completion_tokens', 500), firstFacts)).toBeUndefined();
  });

  it.each([
    // cline/cline#12151, docker/docker-agent#4162: no effort lets tools through at gpt-6-astra
    "Function tools with reasoning_effort are not supported for gpt-6-astra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    'Function tools are not supported for gpt-6.1-sol here. Please use /v1/responses instead.',
    'This model is only supported in v1/responses and not in v1/chat/completions.',
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
    'The model codex-mini needs the Responses API. Use the Responses API.',
  ])('is the Responses API where the refusal names it: %s', message => {
    const set = { ...firstFacts, reasoningEffort: 'low' };
    const moved = learnFrom(failure(message), set)?.facts ?? set;
    expect(moved).toEqual({ ...set, api: 'responses', leftApi: 'chat' });
    // of a gateway that does not serve it: tools are asked for without an effort, and nobody goes there again
    const back = learnFrom(failure('Not Found', 404), moved)?.facts ?? moved;
    expect(back).toEqual({ ...set, missing: 'responses', reasoningEffort: 'none' });
    expect(learnFrom(failure(message), back)?.facts.api ?? 'chat').toBe('chat');
  });

  it.each([
    ['messages', 'claude-fable-5-2 is only available via the Messages API.', 'chat'],
    ['chat', 'This model is not served here. Use /v1/chat/completions instead.', 'responses'],
  ] as const)('is %s where the refusal names it', (api, message, from) => {
    expect(learnFrom(failure(message), { ...firstFacts, api: from })?.facts.api).toBe(api);
  });

  it.each([
    ['System role not supported', 400],
    ["Unexpected role 'user' after role 'tool'", 400],
    ['Conversation roles must alternate user/assistant/user/assistant/...', 500],
  ])('is a template that takes fewer roles: %s', (message, status) => {
    const learned = learnFrom(failure(message, status), firstFacts);
    expect(learned?.facts).toEqual({ ...firstFacts, foldsRoles: true });
  });

  it.each([
    'messages.3.content: use of images is not enabled',
    'Invalid value in messages[2]: try again with a shorter text',
  ])('is no other API for a field of its name: %s', message => {
    expect(learnFrom(failure(message), firstFacts)?.facts.api ?? 'chat').toBe('chat');
  });

  it('is the field that names a cache, which only an address of the table gets', () => {
    const facts = startFacts({ baseUrl: 'https://api.openai.com/v1', model: 'gpt-4.1' });
    const request = {
      messages: [],
      tools: [],
      maxOutputTokens: 10,
      retries: 'jittered' as const,
      cacheKey: 'photon-1',
    };
    const keyOf = (f: typeof facts) => chatApi.body(request, 'm', f).prompt_cache_key;
    expect(keyOf(facts)).toBe('photon-1');
    expect(
      keyOf(startFacts({ baseUrl: 'https://gateway.example/v1', model: 'm' })),
    ).toBeUndefined();
    const learned = learnFrom(failure("Unknown parameter: 'prompt_cache_key'."), facts);
    expect(learned && keyOf(learned.facts)).toBeUndefined();
  });

  it('is the older field of the limit, when the newer one is refused', () => {
    const facts = { ...firstFacts, tokenLimitKey: 'max_completion_tokens' as const };
    const message = "Unsupported parameter: 'max_completion_tokens' is not supported.";
    expect(learnFrom(failure(message), facts)?.facts).toEqual(firstFacts);
  });

  it('a limit of zero tokens is never sent', () => {
    const request = { messages: [], tools: [], maxOutputTokens: 300, retries: 'backoff' as never };
    const body = chatApi.body(request, 'm', { ...firstFacts, maxReplyTokens: 4096 });
    expect(body.max_tokens).toBe(300);
  });
});

describe('images', () => {
  it.each([
    ['No endpoints found that support image input', 404],
    ['this model does not support image input (ref: b8bd630e)', 400],
    ['Invalid content type. image_url is only supported by certain models.', 400],
    [
      'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`',
      422,
    ],
    ['Unsupported content part type for text-only server: image_url', 400],
    ['At most 0 image(s) may be provided; qwen3 is not a multimodal model', 400],
    ['messages[1].content must be a string', 400],
    ['messages.0.content.1.image.source.base64: image exceeds 5 MB maximum', 400],
    ['image input is not supported - hint: you may need to provide the mmproj', 500],
  ])('%s (%i): text stands for them', (message, status) => {
    const facts = { ...firstFacts, images: true };
    const learned = learnFrom(failure(message, status), facts);
    expect(learned).toEqual({ phrase: 'it takes no images', facts: { ...facts, images: false } });
    // nothing is learned twice
    expect(learnFrom(failure(message, status), learned?.facts ?? facts)).toBeUndefined();
  });

  it.each([
    'This request would exceed your rate limit',
    'The model `gpt-5` does not exist',
    'context length exceeded: 9000 tokens',
  ])('%s is not about them', message => {
    expect(learnFrom(failure(message), { ...firstFacts, images: true })).toBeUndefined();
  });
});

describe('tools that are refused', () => {
  it.each([
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [400, 'Function calling is not enabled for models/gemma-3-27b-it'],
    [400, 'Model does not support function calls'],
    [400, "This model doesn't support tool use."],
    [404, 'No endpoints found that support tool use.'],
    [422, 'body.tools: Extra inputs are not permitted'],
    [400, 'Unrecognized request argument supplied: tools'],
    [400, "litellm.UnsupportedParamsError: bedrock does not support parameters: ['tools']"],
    [500, 'This model only supports single tool-calls at once!'],
  ])('%i %s', (status, message) => {
    expect(toolsMissing(failure(message, status))).toBe('the model has no support for tools');
    expect(learnFrom(failure(message, status), firstFacts)).toBeUndefined();
  });

  it.each([
    "Invalid schema for function 'grep': tools[0].function.parameters is not supported",
    'tools.0.custom.name: Extra inputs are not permitted',
    'Unrecognized request argument supplied: stream_options',
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    'the tool server is overloaded',
  ])('not %s', message => {
    expect(toolsMissing(failure(message))).toBeUndefined();
  });

  it('but a stream of them is: the next request has no stream', () => {
    const refused = failure("This model doesn't support tool use in streaming mode.");
    expect(learnFrom(refused, firstFacts)?.facts).toEqual({ ...firstFacts, stream: false });
  });
});

it('a model that is none of chat is asked by the Responses API', () => {
  const message =
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?';
  expect(learnFrom(failure(message, 404), firstFacts)?.facts).toEqual({
    ...firstFacts,
    api: 'responses',
    leftApi: 'chat',
  });
});

it('a field is left out only where the request held it', () => {
  const body = { model: 'm', messages: [], stream_options: { include_usage: true } };
  const refused = failure('reasoning_effort and stream_options are not supported');
  const learned = learnFrom(refused, firstFacts, body);
  expect(learned?.phrase).toBe('it takes no stream_options');
});
