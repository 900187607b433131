/** The native protocol: turns messages into a chat-completions request, and streamed chunks into one turn. Pure. */
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type {
  Message,
  ModelRequest,
  OpaqueParts,
  TokenUsage,
  ToolCall,
  ToolDefinition,
  Turn,
} from './turn.ts';

/** Maximum characters of a reply: its text and the arguments of its calls together. */
export const maxReplyChars = 1_000_000;

/** The body of a streaming request. Endpoints differ in `tokenLimitKey`. */
export function requestBody(
  request: ModelRequest,
  model: string,
  tokenLimitKey: 'max_completion_tokens' | 'max_tokens',
): ChatCompletionCreateParamsStreaming {
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    [tokenLimitKey]: request.maxOutputTokens,
    messages: request.messages.map(messageParam),
    // some endpoints refuse an empty list of tools
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolParam) }),
  };
}

function toolParam(t: ToolDefinition): ChatCompletionTool {
  const { name, description, parameters } = t;
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function messageParam(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': {
      const content = message.text === '' ? null : message.text;
      if (message.calls.length === 0) return { role: 'assistant', content: message.text };
      const calls = message.calls.map(c => ({
        id: c.id,
        type: 'function' as const,
        function: { name: c.name, arguments: c.argumentsText },
      }));
      return { role: 'assistant', content, tool_calls: calls };
    }
  }
}

interface PartialCall {
  id: string;
  name: string;
  argumentsText: string;
}

/** A reply of which some chunks have arrived. */
export interface PartialTurn {
  text: string;
  reasoning: string;
  readonly calls: Map<number, PartialCall>;
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
  if (typeof choice.finish_reason === 'string') turn.finish = choice.finish_reason;
  const delta = choice.delta ?? {};
  if (typeof delta.content === 'string') addText(turn, delta.content);
  turn.reasoning = `${turn.reasoning}${reasoningOf(delta)}`.slice(0, maxReasoningChars);
  if (!Array.isArray(delta.tool_calls)) return;
  for (const part of delta.tool_calls) {
    const index = Number.isInteger(part?.index) ? part.index : turn.calls.size;
    const call = turn.calls.get(index) ?? { id: '', name: '', argumentsText: '' };
    turn.calls.set(index, call);
    const { name, arguments: args } = part?.function ?? {};
    if (typeof part?.id === 'string' && call.id === '') call.id = part.id.slice(0, 200);
    if (typeof name === 'string') grow(turn, name.length, () => (call.name += name));
    if (typeof args === 'string') grow(turn, args.length, () => (call.argumentsText += args));
  }
}

/** The same for a whole completion, from an endpoint that does not stream. */
export function fromCompletion(completion: ChatCompletion, plain: boolean): PartialTurn {
  const turn = emptyTurn(plain);
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined;
  const message = choice?.message;
  const calls = (Array.isArray(message?.tool_calls) ? message.tool_calls : []).map((c, index) => ({
    index,
    id: c?.id,
    function: 'function' in c ? c.function : {},
  }));
  const delta = { ...message, content: message?.content ?? '', tool_calls: calls };
  addChunk(turn, {
    choices: [{ delta, finish_reason: choice?.finish_reason ?? 'stop' }],
    usage: completion?.usage,
  } as ChatCompletionChunk);
  return turn;
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
  if (partial.finish === 'content_filter') return { problem: 'the endpoint filtered the reply' };
  const usage = partial.usage ?? {
    inputTokens: Math.ceil(inputBytes / 4),
    outputTokens: Math.ceil(partial.bytes / 4),
  };
  return {
    text: partial.text,
    ...(partial.reasoning === '' ? {} : { reasoning: partial.reasoning }),
    calls,
    usage,
    ...(partial.opaque === null ? {} : { opaque: partial.opaque }),
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
    ...(cached === 0 ? {} : { cachedTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
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
