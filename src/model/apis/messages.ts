/** Anthropic's Messages: the cache is marked, and signed thinking travels back with its calls. Pure, but for `send`. */
// https://platform.claude.com/docs/en/api/messages, .../build-with-claude/streaming and .../prompt-caching

import { asObject, parseObject } from '../../base/schema-issue.ts';
import { headersOfKey } from '../../settings/vendors.ts';
import { type Message, type ModelRequest, sentParts, type ToolDefinition } from '../turn.ts';
import type { Api, EndpointFacts, JsonObject } from './api.ts';
import { brokenOff, endWithError, type PartialTurn, tokenUsage } from './partial-turn.ts';
import {
  addParts,
  asArray,
  itemsBefore,
  type ReplyPart,
  replyLimit,
  sentBody,
  textIn,
} from './parts.ts';

export const messagesApi: Api = {
  optional: ['cache_control', 'thinking.display', 'output_config', 'thinking'],
  callIds: /^[\w-]{1,64}$/,
  headers: key => {
    const bearer = headersOfKey(key);
    const isToken = Object.keys(bearer).length > 0;
    const credential = isToken ? bearer : { 'x-api-key': key, authorization: null };
    return { ...credential, 'anthropic-version': '2023-06-01' };
  },
  body: makeBody,
  // the SDK knows no such API, but its transport serves this one as well; a base URL may end with the /v1 of the path
  send: async (client, body, options) => {
    const path = /\/v1\/?$/.test(client.baseURL) ? '/messages' : '/v1/messages';
    return client.post<unknown>(path, { ...options, body, stream: body.stream === true });
  },
  isWhole: ({ type }) => type === 'message',
  addEvent,
  addWhole: (turn, reply) => addReply(turn, asObject(reply)),
  lastEvent: /^message_stop$/,
  // a reason to stop is an end, though the event that says so is missing
  endStream: turn => {
    if (turn.problem === null && turn.finish === null) endMessage(turn);
  },
};

const cached = { cache_control: { type: 'ephemeral' } };

function makeBody(request: ModelRequest, model: string, facts: EndpointFacts): JsonObject {
  const { messages, tools } = request;
  const system = messages.flatMap(m => (m.role === 'system' ? [m.text] : [])).join('\n\n');
  const effort = facts.reasoningEffort;
  const mark = !facts.refused.has('cache_control');
  const body = {
    model,
    stream: facts.stream,
    max_tokens: replyLimit(request, facts),
    // the tools come first in the prefix that the endpoint caches, so one mark covers both
    system: system === '' ? undefined : [{ type: 'text', text: system, ...(mark && cached) }],
    tools: tools.length === 0 ? undefined : tools.map(toolParam),
    // without a summary, newer models leave the text of their thinking empty (claude-code#63358)
    thinking:
      effort === null && !facts.showsThinking
        ? undefined
        : { type: 'adaptive', display: 'summarized' },
    output_config: effort === null ? undefined : { effort },
    messages: markTurns(buildTurns(messages, facts), mark),
  };
  return sentBody(body, facts, ['model', 'stream', 'system', 'messages', 'tools']);
}

function toolParam({ name, description, parameters }: ToolDefinition): JsonObject {
  return { name, description, input_schema: parameters };
}

interface ApiTurn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

/** User and assistant in turn: the results of one reply and the texts after them are one user turn. */
function buildTurns(messages: readonly Message[], facts: EndpointFacts): readonly ApiTurn[] {
  const turns: ApiTurn[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = buildBlocks(message, facts);
    const last = turns.at(-1);
    if (last?.role === role)
      turns[turns.length - 1] = { role, content: [...last.content, ...content] };
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

/** The endpoint refuses a text block without text. */
const textBlocks = (text: string): readonly JsonObject[] =>
  text.trim() === '' ? [] : [{ type: 'text', text }];

function buildBlocks(
  message: Exclude<Message, { role: 'system' }>,
  facts: EndpointFacts,
): readonly JsonObject[] {
  switch (message.role) {
    case 'user': {
      const { text, images } = sentParts(message, facts.images);
      const pictures = images.map(({ mediaType, base64 }) => ({
        type: 'image',
        source: { type: 'base64', media_type: mediaType, data: base64 },
      }));
      return [...textBlocks(text), ...pictures];
    }
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: message.callId,
          content: textBlocks(message.text),
        },
      ];
    case 'assistant':
      return [
        ...itemsBefore(message, { api: 'messages' }),
        ...textBlocks(message.text),
        ...message.calls.flatMap(({ id, name, argumentsText }) => [
          ...itemsBefore(message, { api: 'messages', callId: id }),
          { type: 'tool_use', id, name, input: JSON.parse(argumentsText) },
        ]),
      ];
  }
}

/**
 * Marks the last block of the last two user turns. The second of them is where the previous request
 * ended: the endpoint looks back over 20 blocks only, and one round may have more.
 */
function markTurns(turns: readonly ApiTurn[], mark: boolean): readonly ApiTurn[] {
  const users = turns.flatMap((turn, i) => (turn.role === 'user' ? [i] : []));
  const chosen = new Set(mark ? users.slice(-2) : []);
  return turns.map((turn, i) => {
    const last = turn.content.at(-1);
    if (!chosen.has(i) || last === undefined) return turn;
    return { ...turn, content: [...turn.content.slice(0, -1), { ...last, ...cached }] };
  });
}

/** Keys of `PartialTurn.blocks` beside the indices of content blocks: the first and the last event. */
const start = -1;
const end = -2;

/**
 * A block is opened before it grows, and the message ends after them. Gateways leave out what says that a block is closed,
 * repeat an event that adds no text, and number blocks with gaps; any other disorder makes the reply count as broken off.
 * A call whose arguments are no whole JSON never comes from it.
 */
function addEvent(turn: PartialTurn, event: unknown): void {
  if (turn.problem === null && !takeEvent(turn, asObject(event))) turn.problem ??= brokenOff;
}

/** Adds an event; false for one out of order. */
function takeEvent(turn: PartialTurn, event: JsonObject): boolean {
  const { type, message, delta, usage, error } = event;
  switch (type) {
    case 'message_start':
      if (turn.blocks.has(start)) return true;
      turn.blocks.set(start, { usage: asObject(asObject(message).usage) });
      turn.usage = readUsage(asObject(asObject(message).usage));
      return true;
    case 'message_delta': {
      const { stop_reason, stop_details } = asObject(delta);
      const before = turn.blocks.get(end);
      turn.blocks.set(end, {
        reason: stop_reason ?? before?.reason,
        details: stop_details ?? before?.details,
        usage: { ...asObject(before?.usage), ...asObject(usage) },
      });
      turn.usage = readUsage(sumUsage(turn)) ?? turn.usage;
      return true;
    }
    case 'message_stop':
      return endMessage(turn);
    case 'error':
      endWithError(turn, asObject(error).type, asObject(error).message);
      return true;
    default: // content blocks, `ping`, and what the API adds later
      return !/^content_block_(start|delta|stop)$/.test(textIn(type)) || addToBlock(turn, event);
  }
}

function addToBlock(turn: PartialTurn, event: JsonObject): boolean {
  const index = typeof event.index === 'number' ? event.index : Number.NaN;
  const block = turn.blocks.get(index) ?? null;
  if (turn.blocks.has(end) || !turn.blocks.has(start) || !(index >= 0)) return false;
  if (event.type === 'content_block_start') {
    const opened = asObject(event.content_block);
    // again, it opens nothing
    if (block !== null) return ['type', 'id', 'name'].every(key => block[key] === opened[key]);
    turn.blocks.set(index, { ...opened, open: true });
    return true;
  }
  if (event.type === 'content_block_stop' && block?.open === false) return true;
  if (block?.open !== true) return false;
  if (event.type === 'content_block_stop') turn.blocks.set(index, { ...block, open: false });
  else turn.blocks.set(index, withDelta(block, asObject(event.delta)));
  return true;
}

/** Where the text of each kind of delta goes; the arguments of a call arrive as pieces of JSON. */
const deltaFields: ReadonlyMap<string, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
  ['input_json_delta', 'partial_json'],
]);

function withDelta(block: JsonObject, delta: JsonObject): JsonObject {
  const field = deltaFields.get(textIn(delta.type));
  if (field === undefined) return block;
  return { ...block, [field]: `${textIn(block[field])}${textIn(delta[field])}` };
}

function endMessage(turn: PartialTurn): boolean {
  const last = turn.blocks.get(end) ?? null;
  const blocks = [...turn.blocks]
    .filter(([index]) => index >= 0)
    .sort(([a], [b]) => a - b)
    .map(([, block]) => asObject(block));
  if (last === null || typeof last.reason !== 'string') return false;
  const { reason: stop_reason, details: stop_details } = last;
  addReply(turn, { content: blocks, stop_reason, stop_details, usage: sumUsage(turn) });
  return true;
}

/** The counts of the first event, with those of the last over them. */
const sumUsage = ({ blocks }: PartialTurn): JsonObject => ({
  ...asObject(blocks.get(start)?.usage),
  ...asObject(blocks.get(end)?.usage),
});

function addReply(turn: PartialTurn, reply: JsonObject): void {
  const blocks = asArray(reply.content).map(asObject);
  addParts(turn, 'messages', { parts: blocks.flatMap(readParts) });
  turn.usage = readUsage(asObject(reply.usage));
  turn.finish = readFinish(reply.stop_reason);
  const thinking = blocks.filter(b => b.type === 'thinking');
  turn.hidesThinking = thinking.length > 0 && thinking.every(b => textIn(b.thinking) === '');
  // the words of RefusalStopDetails in the vendor's SDK
  turn.refusal = textIn(asObject(reply.stop_details).explanation);
  // a limit may cut the arguments; anything else that is no object was damaged on its way
  const calls = blocks.filter(b => b.type === 'tool_use');
  if (turn.finish !== 'length' && calls.some(b => readArguments(b) === null))
    turn.problem = 'the arguments of a tool call arrived damaged';
}

const finishReasons: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

function readFinish(reason: unknown): string | null {
  return typeof reason === 'string' ? (finishReasons.get(reason) ?? 'unknown') : null;
}

/** The arguments of a call as text; null if they are no object. */
function readArguments({ partial_json, input }: JsonObject): string | null {
  const text = textIn(partial_json);
  const value = text === '' ? input : parseObject(text);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : null;
}

function readParts(block: JsonObject): readonly ReplyPart[] {
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: textIn(block.text) }];
    case 'tool_use': {
      const { id, name } = block;
      const argumentsText = readArguments(block) ?? textIn(block.partial_json);
      return [{ kind: 'call', id: textIn(id), name: textIn(name), argumentsText }];
    }
    case 'thinking':
    case 'redacted_thinking': {
      const { open: _open, ...item } = block;
      return [{ kind: 'reasoning', text: textIn(block.thinking), item }];
    }
    default:
      return [];
  }
}

/** The input tokens of the API leave out what its cache read and wrote. */
function readUsage(usage: JsonObject) {
  const { input_tokens: plain, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const readCount = (n: unknown) => (typeof n === 'number' ? n : 0);
  const read = readCount(cache_read_input_tokens);
  const written = readCount(cache_creation_input_tokens);
  const input = typeof plain === 'number' ? plain + read + written : null;
  return tokenUsage({ input, cached: read, cacheWrite: written, output: usage.output_tokens });
}
