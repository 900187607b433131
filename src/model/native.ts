/** The native protocol: messages to a chat-completions request, streamed chunks to one turn. Pure. */
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import type { Message, ModelRequest, ToolCall, ToolDefinition, Turn } from './turn.ts';

/** Most characters of a reply's text, and of the arguments of one call. */
export const maxReplyChars = 1_000_000;

/** The body of a streaming request. `tokenLimitKey` differs between endpoints. */
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
    // a request without tools is one in plain text; some endpoints refuse an empty list
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

/** A reply on its way. */
export interface PartialTurn {
  text: string;
  readonly calls: Map<number, PartialCall>;
  finish: string | null;
  usage: { input: number; output: number } | null;
  problem: string | null;
  bytes: number;
  /** True for a conversation without tools: what is too large is cut, and judged by who reads it. */
  readonly plain: boolean;
  full: boolean;
}

export function emptyTurn(plain: boolean): PartialTurn {
  const nothing = { text: '', calls: new Map(), finish: null, usage: null, problem: null };
  return { ...nothing, bytes: 0, plain, full: false };
}

/** Adds one chunk. Chunks are foreign data: anything may be missing or of another type. */
export function addChunk(turn: PartialTurn, chunk: ChatCompletionChunk): void {
  const usage: unknown = chunk?.usage;
  if (typeof usage === 'object' && usage !== null) turn.usage = readUsage(usage) ?? turn.usage;
  const choice = Array.isArray(chunk?.choices) ? chunk.choices[0] : undefined;
  if (choice === undefined) return;
  if (typeof choice.finish_reason === 'string') turn.finish = choice.finish_reason;
  const delta = choice.delta ?? {};
  if (typeof delta.content === 'string') addText(turn, delta.content);
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

/** A whole completion (endpoints that do not stream) in the same form. */
export function fromCompletion(completion: ChatCompletion, plain: boolean): PartialTurn {
  const turn = emptyTurn(plain);
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined;
  const message = choice?.message;
  const calls = (Array.isArray(message?.tool_calls) ? message.tool_calls : []).map((c, index) => ({
    index,
    id: c?.id,
    function: 'function' in c ? c.function : {},
  }));
  const delta = { content: message?.content ?? '', tool_calls: calls };
  addChunk(turn, {
    choices: [{ delta, finish_reason: choice?.finish_reason ?? 'stop' }],
    usage: completion?.usage,
  } as ChatCompletionChunk);
  return turn;
}

/** The turn, or why what came cannot be used. Missing and doubled call ids are made unique, names that are none are `unknown`. */
export function finishTurn(
  partial: PartialTurn,
  inputBytes: number,
): Turn | { readonly problem: string } {
  if (partial.problem !== null) return { problem: partial.problem };
  if (partial.finish === null) return { problem: 'the reply broke off' };
  const calls = uniqueIds([...partial.calls].sort(([a], [b]) => a - b).map(([, call]) => call));
  if (partial.text.trim() === '' && calls.length === 0)
    return { problem: `the reply is empty (${partial.finish})` };
  if (partial.finish === 'length' && calls.length > 0)
    return { problem: 'the reply was cut at its token limit in a tool call' };
  if (partial.finish === 'content_filter') return { problem: 'the endpoint filtered the reply' };
  const usage = partial.usage ?? {
    input: Math.ceil(inputBytes / 4),
    output: Math.ceil(partial.bytes / 4),
  };
  return {
    text: partial.text,
    calls,
    usage: { inputTokens: usage.input, outputTokens: usage.output },
    finishReason: finishReason(partial.finish),
  };
}

function finishReason(reason: string): Turn['finishReason'] {
  return reason === 'stop' || reason === 'tool_calls' || reason === 'length' ? reason : 'unknown';
}

/** Text of a plain conversation is taken up to one character past the bound, then no more. */
function addText(turn: PartialTurn, text: string): void {
  const context = turn.plain ? maxReplyChars + 1 - turn.bytes : text.length;
  const taken = text.slice(0, context);
  if (turn.plain) {
    turn.text += taken;
    turn.bytes += taken.length;
    turn.full = turn.bytes > maxReplyChars;
    if (turn.full) turn.finish = 'length';
  } else {
    grow(turn, taken.length, () => (turn.text += taken));
  }
}

function grow(turn: PartialTurn, by: number, add: () => void): void {
  turn.bytes += by;
  if (turn.bytes > maxReplyChars)
    turn.problem = `the reply is larger than ${maxReplyChars} characters`;
  else add();
}

function readUsage(usage: object): { input: number; output: number } | null {
  const { prompt_tokens: input, completion_tokens: output } = usage as Record<string, unknown>;
  const fine = (n: unknown): n is number => typeof n === 'number' && Number.isFinite(n) && n >= 0;
  return fine(input) && fine(output) ? { input, output } : null;
}

/** Names that an endpoint takes back in the conversation; no tool has another. */
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
