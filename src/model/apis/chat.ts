/** The native protocol: turns messages into a chat-completions request, and streamed chunks into one turn. Pure. */
import { createHash } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { ReasoningEffort } from 'openai/resources/shared';
import type { EndpointFacts } from '../endpoint-facts.ts';
import {
  type AttachedImages,
  type Message,
  type ModelRequest,
  type OpaqueParts,
  sentParts,
  type TokenUsage,
  type ToolCall,
  type ToolDefinition,
  type Turn,
} from '../turn.ts';

/** Maximum characters of a reply: its text and the arguments of its calls together. */
export const maxReplyChars = 1_000_000;

/** The body of a request, in the form that the endpoint takes. */
export function requestBody(
  request: ModelRequest,
  model: string,
  facts: EndpointFacts,
): ChatCompletionCreateParamsStreaming {
  const { tokenLimitKey, maxReplyTokens, stream, streamOptions, reasoningEffort } = facts;
  const limit = Math.min(request.maxOutputTokens, maxReplyTokens ?? request.maxOutputTokens);
  // what a person adds stays where Photon sends nothing of its own
  const added = facts.extraBody as Partial<ChatCompletionCreateParamsStreaming>;
  return {
    ...added,
    model,
    stream: stream as true,
    stream_options: stream && streamOptions ? { include_usage: true } : added.stream_options,
    max_completion_tokens:
      tokenLimitKey === 'max_completion_tokens' ? limit : added.max_completion_tokens,
    max_tokens: tokenLimitKey === 'max_tokens' ? limit : added.max_tokens,
    reasoning_effort: (reasoningEffort as ReasoningEffort) ?? added.reasoning_effort,
    prompt_cache_key: (facts.cacheKey ? request.cacheKey : undefined) ?? added.prompt_cache_key,
    messages: request.messages.map(m => messageParam(m, facts)),
    // some endpoints refuse an empty list of tools
    tools: request.tools.length === 0 ? undefined : request.tools.map(toolParam),
  };
}

function toolParam(t: ToolDefinition): ChatCompletionTool {
  const { name, description, parameters } = t;
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function messageParam(message: Message, facts: EndpointFacts): ChatCompletionMessageParam {
  const idOf = facts.shortIds ? shortId : (id: string) => id;
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
      return { role: 'tool', tool_call_id: idOf(message.callId), content: message.text };
    case 'assistant': {
      const content = message.text === '' ? null : message.text;
      const opaque = message.opaque?.wire === 'chat' ? message.opaque : undefined;
      if (message.calls.length === 0) return { role: 'assistant', content: message.text };
      const calls = message.calls.map(c => ({
        ...(opaque?.byCall[c.id] ?? {}),
        id: idOf(c.id),
        type: 'function' as const,
        function: { name: c.name, arguments: c.argumentsText },
      }));
      const reasoning = facts.echoReasoning ? opaque?.text : {};
      return { role: 'assistant', content, tool_calls: calls, ...reasoning };
    }
  }
}

/** An image in the address itself, so that no server has to fetch it. */
export function dataUrl({ mediaType, base64 }: AttachedImages['list'][number]): string {
  return `data:${mediaType};base64,${base64}`;
}

/** An id of nine letters and digits that stands for another id. */
function shortId(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9]/g, '');
  return plain.length === 9 && plain === id
    ? id
    : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

interface PartialCall {
  /** Fields of the call besides id, type and function. */
  opaque: Record<string, unknown>;
  id: string;
  name: string;
  argumentsText: string;
}

/** A reply of which some chunks have arrived. */
export interface PartialTurn {
  text: string;
  reasoning: string;
  readonly calls: Map<number, PartialCall>;
  /** Where the parts of an index of the endpoint go. */
  readonly places: Map<number, number>;
  /** Reasoning fields as they came, which some endpoints want back with the calls. */
  readonly fields: Record<string, unknown>;
  /** Parts of a reply by index, for wires that send it in parts; null for a part that is announced. */
  readonly blocks: Map<number, Readonly<Record<string, unknown>> | null>;
  finish: string | null;
  usage: TokenUsage | null;
  opaque: OpaqueParts | null;
  problem: string | null;
  /** The error that the endpoint sent in place of the rest of its reply. */
  endpointError: { readonly code: string; readonly message: string } | null;
  bytes: number;
  /** True for a conversation without tools: a text that is too large is cut, and its reader refuses it. */
  readonly plain: boolean;
  full: boolean;
}

export function emptyTurn(plain: boolean): PartialTurn {
  return {
    text: '',
    reasoning: '',
    calls: new Map(),
    places: new Map(),
    fields: {},
    blocks: new Map(),
    finish: null,
    usage: null,
    opaque: null,
    problem: null,
    endpointError: null,
    bytes: 0,
    plain,
    full: false,
  };
}

/** Adds one chunk. Chunks are untrusted: any field may be missing or have another type. */
export function addChunk(turn: PartialTurn, chunk: ChatCompletionChunk): void {
  const usage: unknown = chunk?.usage;
  if (typeof usage === 'object' && usage !== null) turn.usage = readUsage(usage) ?? turn.usage;
  const choice = Array.isArray(chunk?.choices) ? chunk.choices[0] : undefined;
  if (choice === undefined) return;
  const ended = turn.finish !== null;
  // some proxies send an empty reason with every chunk
  const finish: unknown = choice.finish_reason;
  if (typeof finish === 'string' && finish !== '') turn.finish = finish;
  // OpenRouter names the error of the provider here
  const { error } = choice as { error?: { code?: unknown; message?: unknown } | null };
  if (typeof error === 'object' && error !== null) endWithError(turn, error.code, error.message);
  const delta = choice.delta ?? {};
  if (typeof delta.content === 'string') addText(turn, delta.content);
  turn.reasoning = `${turn.reasoning}${reasoningOf(delta)}`.slice(0, maxReasoningChars);
  keepReasoning(turn, delta);
  if (!Array.isArray(delta.tool_calls)) return;
  for (const part of delta.tool_calls) {
    const call = callOf(turn, part);
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
    if (call.name === '' || (ended && call.argumentsText !== '')) turn.problem ??= brokenOff;
    else grow(turn, args.length, () => (call.argumentsText += args));
  }
}

type CallPart = ChatCompletionChunk.Choice.Delta.ToolCall;

/** The call that a part belongs to. Ollama gives every parallel call the index 0: another id is another call. */
function callOf(turn: PartialTurn, part: CallPart | null): PartialCall {
  const index = part !== null && Number.isInteger(part?.index) ? part.index : turn.calls.size;
  const known = turn.calls.get(turn.places.get(index) ?? -1);
  const id = typeof part?.id === 'string' ? part.id : '';
  const another =
    known !== undefined &&
    ((id !== '' && known.id !== '' && id !== known.id) ||
      (id === '' && known.name !== '' && !!part?.function?.name && isJson(known.argumentsText)));
  if (known !== undefined && !another) return known;
  const place = turn.calls.has(index) ? Math.max(...turn.calls.keys()) + 1 : index;
  const call = { id: '', name: '', argumentsText: '', opaque: {} };
  turn.places.set(index, place);
  turn.calls.set(place, call);
  return call;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

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
export function fromCompletion(completion: ChatCompletion, plain: boolean): PartialTurn {
  const turn = emptyTurn(plain);
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined;
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
  return turn;
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

/** Maximum characters of the reasoning that are kept; only a few sentences of it are used. */
export const maxReasoningChars = 20_000;

/** The reasoning that endpoints send beside the text: one of the fields in use, or the parts of OpenRouter. */
function reasoningOf(delta: object): string {
  const { reasoning_content, reasoning, reasoning_details } = delta as Record<string, unknown>;
  for (const text of [reasoning_content, reasoning]) if (typeof text === 'string') return text;
  const parts = Array.isArray(reasoning_details) ? reasoning_details : [];
  return parts.map(part => textOfPart(part)).join('');
}

function textOfPart(part: { summary?: unknown; text?: unknown } | null): string {
  for (const text of [part?.summary, part?.text]) if (typeof text === 'string') return text;
  return '';
}

/** The problem of a reply whose stream ended early. */
export const brokenOff = 'the reply broke off';

/** The reply ends with an error of the endpoint; it counts as broken off, so that it is requested again. */
export function endWithError(turn: PartialTurn, code: unknown, message: unknown): void {
  const textOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  turn.endpointError ??= {
    code: textOf(code).slice(0, 100),
    message: textOf(message).slice(0, 500),
  };
  turn.problem ??= brokenOff;
}

/**
 * The turn, or why the reply is unusable. Missing and repeated call ids become unique, and an invalid
 * tool name becomes `unknown`.
 */
export function finishTurn(
  partial: PartialTurn,
  inputBytes: number,
): Turn | { readonly problem: string } {
  if (partial.problem !== null) return { problem: partial.problem };
  if (partial.finish === null) return { problem: brokenOff };
  const calls = uniqueIds([...partial.calls].sort(([a], [b]) => a - b).map(([, call]) => call));
  if (partial.text.trim() === '' && calls.length === 0)
    return { problem: `the reply is empty (${partial.finish})` };
  if (partial.finish === 'length' && calls.length > 0)
    return { problem: 'the reply reached its token limit inside a tool call' };
  if (partial.finish === 'error') return { problem: brokenOff };
  if (partial.finish === 'content_filter') return { problem: 'the endpoint filtered the reply' };
  const usage = partial.usage ?? {
    inputTokens: Math.ceil(inputBytes / 4),
    outputTokens: Math.ceil(partial.bytes / 4),
  };
  return {
    text: partial.text,
    reasoning: partial.reasoning === '' ? undefined : partial.reasoning,
    calls,
    ...opaqueOf(partial, calls),
    usage,
    finishReason: finishReason(partial.finish),
  };
}

function finishReason(reason: string): Turn['finishReason'] {
  return reason === 'stop' || reason === 'tool_calls' || reason === 'length' ? reason : 'unknown';
}

/** Adds text to a turn. A plain conversation keeps one character more than the limit, so that its reader sees the excess. */
export function addText(turn: PartialTurn, text: string): void {
  const free = turn.plain ? maxReplyChars + 1 - turn.bytes : text.length;
  const taken = text.slice(0, free);
  if (turn.plain) {
    turn.text += taken;
    turn.bytes += taken.length;
    turn.full = turn.bytes > maxReplyChars;
    if (turn.full) turn.finish = 'length';
  } else {
    grow(turn, taken.length, () => (turn.text += taken));
  }
}

/** Counts characters of a reply and adds them, up to the limit. */
export function grow(turn: PartialTurn, by: number, add: () => void): void {
  turn.bytes += by;
  if (turn.bytes > maxReplyChars)
    turn.problem = `the reply is larger than ${maxReplyChars} characters`;
  else add();
}

/** Reads the counts of OpenAI, and the names that DeepSeek and Moonshot have for cached tokens. */
function readUsage(usage: object): TokenUsage | null {
  const all = usage as Record<string, unknown>;
  const details = (all.prompt_tokens_details ?? {}) as Record<string, unknown>;
  return tokenUsage({
    input: all.prompt_tokens,
    cached: details.cached_tokens ?? all.prompt_cache_hit_tokens ?? all.cached_tokens,
    cacheWrite: details.cache_write_tokens,
    output: all.completion_tokens,
  });
}

/** What must travel back with the calls of a turn, unchanged. */
function opaqueOf(partial: PartialTurn, calls: readonly ToolCall[]): Pick<Turn, 'opaque'> {
  const parts = [...partial.calls.values()];
  const byCall = calls.map((call, i) => [call.id, parts[i]?.opaque ?? {}] as const);
  const some = byCall.filter(([, fields]) => Object.keys(fields).length > 0);
  const none = some.length === 0 && Object.keys(partial.fields).length === 0;
  if (partial.opaque !== null) return { opaque: partial.opaque };
  return none || calls.length === 0
    ? {}
    : { opaque: { wire: 'chat', text: partial.fields, byCall: Object.fromEntries(some) } };
}

/** Counts from an endpoint, which may be anything; null without the two sums. Parts never exceed their sum. */
export function tokenUsage(
  counts: Readonly<Record<'input' | 'cached' | 'cacheWrite' | 'output', unknown>>,
): TokenUsage | null {
  const { input, output } = counts;
  if (!isCount(input) || !isCount(output)) return null;
  const cached = isCount(counts.cached) ? Math.min(input, counts.cached) : 0;
  const written = isCount(counts.cacheWrite) ? Math.min(input - cached, counts.cacheWrite) : 0;
  return {
    inputTokens: input,
    cachedTokens: cached === 0 ? undefined : cached,
    cacheWriteTokens: written === 0 ? undefined : written,
    outputTokens: output,
  };
}

const isCount = (n: unknown): n is number => typeof n === 'number' && Number.isFinite(n) && n >= 0;

/** Tool names that an endpoint accepts in the conversation. */
const callable = /^[\w-]{1,64}$/;

function uniqueIds(calls: readonly PartialCall[]): readonly ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, i) => {
    const id = call.id === '' || seen.has(call.id) ? `call_${i + 1}_${seen.size}` : call.id;
    seen.add(id);
    const name = callable.test(call.name) ? call.name : 'unknown';
    return { id, name, argumentsText: call.argumentsText };
  });
}
