/** OpenAI's Responses: nothing is stored there, and encrypted reasoning travels back with its calls. Pure, but for `send`. */
// https://platform.openai.com/docs/api-reference/responses; the types of its SDK are in resources/responses

import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { asObject } from '../../base/schema-issue.ts';
import { type Message, type ModelRequest, sentParts, type ToolDefinition } from '../turn.ts';
import type { Api, EndpointFacts, JsonObject } from './api.ts';
import { brokenOff, endWithError, type PartialTurn, tokenUsage } from './partial-turn.ts';
import {
  addParts,
  asArray,
  bearerHeaders,
  dataUrl,
  itemsBefore,
  type ReplyPart,
  replyLimit,
  sentBody,
  textIn,
} from './parts.ts';

export const responsesApi: Api = {
  optional: [
    'include',
    'reasoning.summary',
    'reasoning.effort',
    'reasoning',
    'prompt_cache_key',
    'max_output_tokens',
  ],
  callIds: /^[\w-]{1,64}$/,
  headers: bearerHeaders,
  body: makeBody,
  send: async (client, body, options) =>
    client.responses.create(body as ResponseCreateParams, options),
  isWhole: ({ object }) => object === 'response',
  addEvent,
  addWhole: (turn, reply) => endReply(turn, asObject(reply)),
  lastEvent: /^response\.(?:completed|incomplete|failed)$/,
};

function makeBody(request: ModelRequest, model: string, facts: EndpointFacts): JsonObject {
  const { messages, tools, cacheKey } = request;
  const body = {
    model,
    stream: facts.stream,
    store: false,
    include: ['reasoning.encrypted_content'],
    // the summary is the thought that the constitution asks for
    reasoning: { effort: facts.reasoningEffort ?? undefined, summary: 'auto' },
    input: messages.flatMap(message => inputItems(message, facts)),
    max_output_tokens: replyLimit(request, facts),
    tools: tools.length === 0 ? undefined : tools.map(functionTool),
    prompt_cache_key: cacheKey,
  };
  return sentBody(body, facts, ['model', 'stream', 'store', 'input', 'tools']);
}

/** Strict schemas would need every property to be required. */
function functionTool({ name, description, parameters }: ToolDefinition): JsonObject {
  return { type: 'function', name, description, parameters, strict: false };
}

function inputItems(message: Message, facts: EndpointFacts): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user': {
      const { text, images } = sentParts(message, facts.images);
      if (images.length === 0) return [{ role: 'user', content: text }];
      const pictures = images.map(i => ({
        type: 'input_image',
        image_url: dataUrl(i),
        detail: 'auto',
      }));
      return [{ role: 'user', content: [{ type: 'input_text', text }, ...pictures] }];
    }
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.text }];
    case 'assistant': {
      const { text, calls, opaque } = message;
      const phase = opaque?.api === 'responses' ? opaque.text.phase : undefined;
      const isSilent = text === '' && calls.length > 0;
      const spoken = isSilent ? [] : [{ role: 'assistant', content: text, phase }];
      return [
        ...itemsBefore(message, { api: 'responses' }),
        ...spoken,
        ...calls.flatMap(({ id, name, argumentsText }) => [
          ...itemsBefore(message, { api: 'responses', callId: id }),
          { type: 'function_call', call_id: id, name, arguments: argumentsText },
        ]),
      ];
    }
  }
}

/**
 * Only complete items count: those of `response.output_item.done` and of the last event. The deltas before them
 * repeat the same text in pieces, so no lost, repeated or misplaced delta can change a call.
 */
function addEvent(turn: PartialTurn, event: unknown): void {
  const { type, output_index: index, item, response, code, message } = asObject(event);
  if (turn.problem !== null || turn.finish !== null) return;
  switch (type) {
    case 'response.output_item.added':
      if (isIndex(index) && !turn.blocks.has(index)) turn.blocks.set(index, null);
      return;
    case 'response.output_item.done':
      if (isIndex(index)) addItem(turn, index, asObject(item));
      return;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      endReply(turn, { status: String(type).slice('response.'.length), ...asObject(response) });
      return;
    case 'error': {
      const inner = asObject(asObject(event).error);
      endWithError(turn, code ?? inner.code, message ?? inner.message);
      return;
    }
    default:
  }
}

const isIndex = (index: unknown): index is number =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 10_000;

/** Two different items with one index: the stream is damaged. */
function addItem(turn: PartialTurn, index: number, item: JsonObject): void {
  const known = turn.blocks.get(index) ?? null;
  if (known !== null && JSON.stringify(known) !== JSON.stringify(item)) turn.problem = brokenOff;
  else turn.blocks.set(index, item);
}

/** The whole response; its `output` is empty at endpoints that sent the items before. */
function endReply(turn: PartialTurn, response: JsonObject): void {
  const { status, error, output, usage, incomplete_details } = response;
  const { code, message } = asObject(error);
  if (status === 'failed' || status === 'cancelled' || typeof message === 'string') {
    endWithError(turn, code, message);
    return;
  }
  const whole = asArray(output).map(asObject);
  const sent = [...turn.blocks].sort(([a], [b]) => a - b).map(([, item]) => item);
  if (whole.length === 0 && sent.includes(null)) {
    turn.problem = brokenOff;
    return;
  }
  const items = whole.length > 0 ? whole : sent.map(asObject);
  const phase = items.filter(item => item.type === 'message').at(-1)?.phase;
  addParts(turn, 'responses', {
    parts: items.flatMap(readParts),
    textFields: typeof phase === 'string' ? { phase } : {},
  });
  turn.usage = readUsage(asObject(usage));
  turn.refusal = items.map(item => joinTexts(item.content, 'refusal')).join('');
  turn.finish = readFinish(status, asObject(incomplete_details).reason, turn.calls.size > 0);
}

function readFinish(status: unknown, reason: unknown, hasCalls: boolean): string | null {
  if (status === 'incomplete') return reason === 'content_filter' ? 'content_filter' : 'length';
  if (status !== 'completed') return null;
  return hasCalls ? 'tool_calls' : 'stop';
}

function readParts(item: JsonObject): readonly ReplyPart[] {
  switch (item.type) {
    case 'message':
      return [{ kind: 'text', text: joinTexts(item.content, 'text') }];
    case 'function_call': {
      const { call_id, name, arguments: args } = item;
      const text = typeof args === 'object' ? JSON.stringify(args) : textIn(args);
      return [{ kind: 'call', id: textIn(call_id), name: textIn(name), argumentsText: text }];
    }
    case 'reasoning': {
      const text = joinTexts(item.summary, 'text') || joinTexts(item.content, 'text');
      // without its encrypted content the endpoint would look for a stored item
      return [{ kind: 'reasoning', text, item: readEncrypted(item) }];
    }
    default:
      return [];
  }
}

/** The item in the form in which it is sent; null if it cannot travel back. */
function readEncrypted(item: JsonObject): JsonObject | null {
  if (textIn(item.encrypted_content) === '') return null;
  const { status: _status, ...sent } = item;
  return sent;
}

function joinTexts(parts: unknown, field: string): string {
  return asArray(parts)
    .map(part => textIn(asObject(part)[field]))
    .join('');
}

function readUsage(usage: JsonObject) {
  const details = asObject(usage.input_tokens_details);
  return tokenUsage({
    input: usage.input_tokens,
    cached: details.cached_tokens,
    cacheWrite: details.cache_write_tokens,
    output: usage.output_tokens,
  });
}
