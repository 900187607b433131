/** OpenAI's chat completions, and what compatible endpoints make of them. Pure, but for `send`. */
// https://platform.openai.com/docs/api-reference/chat

import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import {
  foldRoles,
  type Message,
  type ModelRequest,
  sentParts,
  type TokenUsage,
  type ToolDefinition,
} from '../turn.ts';
import type { Api, EndpointFacts, JsonObject } from './api.ts';
import {
  addText,
  addWords,
  brokenOff,
  endWithError,
  grow,
  type PartialCall,
  type PartialTurn,
  tokenUsage,
} from './partial-turn.ts';
import { asArray, bearerHeaders, dataUrl, replyLimit, sentBody, textIn } from './parts.ts';

export const chatApi: Api = {
  optional: [
    'stream_options',
    'prompt_cache_key',
    'reasoning_effort',
    'reasoning_content',
    'reasoning_details',
  ],
  headers: bearerHeaders,
  body: makeBody,
  send: async (client, body, options) =>
    client.chat.completions.create(body as unknown as ChatCompletionCreateParams, options),
  isWhole: ({ choices }) => Array.isArray(choices) && Object(choices[0]).message !== undefined,
  addEvent: (turn, event) => addChunk(turn, event as ChatCompletionChunk),
  addWhole: (turn, reply) => addCompletion(turn, reply as ChatCompletion),
  // some proxies leave out finish_reason, though the stream came to its end
  endStream: (turn, marked) => {
    if (marked) turn.finish ??= 'stop';
  },
};

function makeBody(request: ModelRequest, model: string, facts: EndpointFacts): JsonObject {
  const { tokenLimitKey, stream } = facts;
  const limit = replyLimit(request, facts);
  const body = {
    model,
    stream,
    stream_options: stream ? { include_usage: true } : undefined,
    max_completion_tokens: tokenLimitKey === 'max_completion_tokens' ? limit : undefined,
    max_tokens: tokenLimitKey === 'max_tokens' ? limit : undefined,
    reasoning_effort: facts.reasoningEffort ?? undefined,
    prompt_cache_key: facts.cacheKey ? request.cacheKey : undefined,
    messages: (facts.foldsRoles ? foldRoles(request.messages) : request.messages).map(m =>
      messageParam(m, facts),
    ),
    // some endpoints refuse an empty list of tools
    tools: request.tools.length === 0 ? undefined : request.tools.map(toolParam),
  };
  return sentBody(body, facts, Object.keys(body));
}

function toolParam(t: ToolDefinition): ChatCompletionTool {
  const { name, description, parameters } = t;
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function messageParam(message: Message, facts: EndpointFacts): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user': {
      const { text, images } = sentParts(message, facts.images);
      if (images.length === 0) return { role: 'user', content: text };
      const pictures = images.map(i => ({
        type: 'image_url' as const,
        image_url: { url: dataUrl(i) },
      }));
      return { role: 'user', content: [{ type: 'text', text }, ...pictures] };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': {
      const content = message.text.trim() === '' ? facts.emptyContent : message.text;
      const opaque = message.opaque?.api === 'chat' ? message.opaque : undefined;
      const wanted = facts.wantsReasoning ? { reasoning_content: noReasoning } : {};
      if (message.calls.length === 0)
        return { role: 'assistant', content: message.text, ...wanted };
      const calls = message.calls.map(c => ({
        ...(opaque?.byCall[c.id] ?? {}),
        id: c.id,
        type: 'function' as const,
        function: { name: c.name, arguments: c.argumentsText },
      }));
      const reasoning = Object.entries(opaque?.text ?? {}).filter(
        ([name]) => !facts.refused.has(name),
      );
      const fields = { ...wanted, ...Object.fromEntries(reasoning) };
      return { role: 'assistant', content, tool_calls: calls, ...fields };
    }
  }
}

/** Stands for the reasoning of a reply that had none: Kimi refuses an empty text (charmbracelet/crush#2696). */
const noReasoning = ' ';

/** Adds one chunk. Chunks are untrusted: any field may be missing or have another type. */
function addChunk(turn: PartialTurn, chunk: ChatCompletionChunk): void {
  turn.usage = readUsage(asObject(chunk?.usage)) ?? turn.usage;
  const choice = chooseChoice(chunk?.choices);
  if (choice === undefined) return;
  const ended = turn.finish !== null;
  // some proxies send an empty reason with every chunk
  const finish: unknown = choice.finish_reason;
  if (typeof finish === 'string' && finish !== '') turn.finish = finish;
  // OpenRouter names the error of the provider here
  const { error } = choice as { error?: { code?: unknown; message?: unknown } | null };
  if (typeof error === 'object' && error !== null) endWithError(turn, error.code, error.message);
  const delta = choice.delta ?? {};
  const { text, thinking } = readContent(delta.content);
  if (text !== '') addText(turn, text);
  addWords(turn, 'refusal', textIn(delta.refusal));
  addWords(turn, 'reasoning', `${thinking}${readReasoning(delta)}`);
  keepReasoning(turn, delta);
  if (!Array.isArray(delta.tool_calls)) return;
  for (const part of delta.tool_calls) {
    const call = findCall(turn, part);
    const { name, arguments: given } = part?.function ?? {};
    // some proxies send the arguments as an object
    const args: unknown =
      typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
    if (typeof part?.id === 'string' && call.id === '') call.id = part.id.slice(0, 200);
    keepOpaque(turn, call, part);
    // some endpoints repeat the name with every part of the arguments
    if (typeof name === 'string' && name !== call.name)
      grow(turn, name.length, () => (call.name += name));
    if (typeof args !== 'string' || args === '') continue;
    // arguments without the call that they belong to, or behind the end: parts were lost or changed places
    const joined = joinArguments(call.argumentsText, args);
    if (joined === call.argumentsText) continue;
    if (call.name === '' || (ended && call.argumentsText !== '')) turn.problem ??= brokenOff;
    else grow(turn, args.length, () => (call.argumentsText = joined));
  }
}

/** The choice with the calls, which some models write as the second one; else the first. */
function chooseChoice<T extends object>(choices: readonly T[] | undefined): T | undefined {
  const all: readonly T[] = Array.isArray(choices) ? choices : [];
  const hasCalls = (choice: T) => {
    const { delta, message } = asObject(choice);
    return asArray(asObject(delta ?? message).tool_calls).length > 0;
  };
  return all.find(hasCalls) ?? all[0];
}

/**
 * The arguments with one more piece. Some endpoints send all of them again: as a whole, with each piece, or behind an empty
 * object. No JSON begins with two braces, so a piece that begins with what is known is known text and more.
 */
function joinArguments(known: string, piece: string): string {
  const isRepeated = known.startsWith('{') && (piece.startsWith(known) || known === '{}');
  if (isRepeated && piece.startsWith('{')) return piece;
  return parseJson(known) !== null && known.startsWith(piece) && piece.startsWith('{')
    ? known
    : known + piece;
}

/** A text, or the parts that Mistral sends for models that reason: `{"type": "thinking", "thinking": [{"text": …}]}`. */
function readContent(content: unknown): { readonly text: string; readonly thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' };
  const parts = asArray(content).map(asObject);
  const inside = ({ thinking }: JsonObject) =>
    textIn(thinking) ||
    asArray(thinking)
      .map(part => textIn(asObject(part).text))
      .join('');
  return {
    text: parts.map(part => (part.type === 'thinking' ? '' : textIn(part.text))).join(''),
    thinking: parts.map(part => (part.type === 'thinking' ? inside(part) : '')).join(''),
  };
}

type CallPart = ChatCompletionChunk.Choice.Delta.ToolCall;

/** The call that a part belongs to. Ollama gives every parallel call the index 0: another id is another call. */
function findCall(turn: PartialTurn, part: CallPart | null): PartialCall {
  const index = part !== null && Number.isInteger(part?.index) ? part.index : turn.calls.size;
  const known = turn.calls.get(turn.places.get(index) ?? -1);
  const id = typeof part?.id === 'string' ? part.id : '';
  const name = part?.function?.name ?? '';
  const another =
    known !== undefined &&
    isComplete(known, name) &&
    (id === '' ? known.name !== '' && name !== '' : known.id !== '' && id !== known.id);
  if (known !== undefined && !another) return known;
  const place = turn.calls.has(index) ? Math.max(...turn.calls.keys()) + 1 : index;
  const call = { id: '', name: '', argumentsText: '', opaque: {} };
  turn.places.set(index, place);
  turn.calls.set(place, call);
  return call;
}

/** False for a call whose arguments are still to come: what comes under its index, and names no other tool, belongs to it. */
const isComplete = ({ name, argumentsText }: PartialCall, next: string) =>
  argumentsText === ''
    ? name !== '' && next !== '' && next !== name
    : parseJson(argumentsText) !== null;

/** Fields that must come back with a call, such as Gemini's `extra_content.google.thought_signature`. */
function keepOpaque(turn: PartialTurn, call: PartialCall, part: CallPart | null): void {
  const {
    index: _i,
    id: _id,
    type: _t,
    function: _f,
    ...rest
  } = { ...part } as Record<string, unknown>;
  const text = JSON.stringify(rest);
  if (text === '{}') return;
  grow(turn, text.length, () => Object.assign(call.opaque, rest));
}

/** The same for a whole completion, from an endpoint that does not stream. */
function addCompletion(turn: PartialTurn, completion: ChatCompletion): void {
  const choice = chooseChoice(completion?.choices);
  const message = choice?.message;
  const calls = (Array.isArray(message?.tool_calls) ? message.tool_calls : []).map((c, index) => ({
    index,
    ...c,
    function: 'function' in c ? c.function : {},
  }));
  const delta = { ...message, content: message?.content ?? '', tool_calls: calls };
  addChunk(turn, {
    choices: [{ delta, finish_reason: choice?.finish_reason ?? 'stop' }],
    usage: completion?.usage,
  } as ChatCompletionChunk);
}

/** Reasoning as it came. DeepSeek refuses a conversation whose calls lack it. */
function keepReasoning(turn: PartialTurn, delta: object): void {
  const { reasoning_content: text, reasoning_details: parts } = delta as Record<string, unknown>;
  if (typeof text === 'string' && text !== '')
    grow(turn, text.length, () => {
      turn.fields.reasoning_content = `${turn.fields.reasoning_content ?? ''}${text}`;
    });
  if (Array.isArray(parts) && parts.length > 0)
    grow(turn, JSON.stringify(parts).length, () => {
      const before = turn.fields.reasoning_details;
      turn.fields.reasoning_details = Array.isArray(before) ? [...before, ...parts] : parts;
    });
}

/** The reasoning that endpoints send beside the text: one of the fields in use, or the parts of OpenRouter. */
function readReasoning(delta: object): string {
  const { reasoning_content, reasoning, reasoning_details } = delta as Record<string, unknown>;
  const parts = asArray(reasoning_details).map(asObject);
  return (
    firstText(reasoning_content, reasoning) ??
    parts.map(({ summary, text }) => firstText(summary, text)).join('')
  );
}

const firstText = (...values: readonly unknown[]) =>
  values.find(value => typeof value === 'string');

/** Reads the counts of OpenAI, and the names that DeepSeek and Moonshot have for cached tokens. */
function readUsage(usage: JsonObject): TokenUsage | null {
  const details = asObject(usage.prompt_tokens_details);
  return tokenUsage({
    input: usage.prompt_tokens,
    cached: details.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
    cacheWrite: details.cache_write_tokens,
    output: usage.completion_tokens,
  });
}
