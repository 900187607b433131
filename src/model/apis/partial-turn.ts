/** A reply while it arrives, the same for every API, and the turn that it becomes. Pure. */
import { sum } from '../../base/plural.ts';
import { asObject } from '../../base/schema-issue.ts';
import type { OpaqueParts, TokenUsage, ToolCall, Turn } from '../turn.ts';

/** Maximum characters of a reply: its text and the arguments of its calls together. */
export const maxReplyChars = 1_000_000;

export interface PartialCall {
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
  /** Parts of a reply by index, for APIs that send it in parts; null for a part that is announced. */
  readonly blocks: Map<number, Readonly<Record<string, unknown>> | null>;
  finish: string | null;
  usage: TokenUsage | null;
  opaque: OpaqueParts | null;
  problem: string | null;
  /** True for thinking whose text was left out. */
  hidesThinking: boolean;
  /** The error that the endpoint sent in place of the rest of its reply. */
  endpointError: { readonly code: string; readonly message: string } | null;
  /** What the model, or the filter of its endpoint, says in place of an answer. */
  refusal: string;
  /** Characters of its text and the arguments of its calls. */
  bytes: number;
  /** Characters of the pieces that arrived, whatever became of them. */
  received: number;
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
    hidesThinking: false,
    endpointError: null,
    refusal: '',
    bytes: 0,
    received: 0,
    plain,
    full: false,
  };
}

/** Maximum characters of the reasoning, and of a refusal, that are kept; only a few sentences of them are used. */
const maxReasoningChars = 20_000;

/** Adds to what the model thinks, or says in place of an answer. */
export function addWords(turn: PartialTurn, kind: 'reasoning' | 'refusal', words: string): void {
  turn[kind] = `${turn[kind]}${words}`.slice(0, maxReasoningChars);
}

/** The problem of a reply whose stream ended early. */
export const brokenOff = 'the reply broke off';

/** How the problem of a reply without text and calls begins. */
export const emptyReply = 'the reply is empty';

/** The problem of a call that the token limit cuts. */
export const cutInCall = 'the reply reached its token limit inside a tool call; make it shorter';

/** The problem of a stream without an event. */
export const noData = `${emptyReply} (no data)`;

/** The reply ends with an error of the endpoint; it counts as broken off, so that it is requested again. */
export function endWithError(turn: PartialTurn, code: unknown, message: unknown): void {
  const toText = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  turn.endpointError ??= {
    code: toText(code).slice(0, 100),
    message: toText(message).slice(0, 500),
  };
  turn.problem ??= brokenOff;
}

/** The turn, or why the reply is unusable. Missing and repeated call ids become unique. */
export function finishTurn(
  partial: PartialTurn,
  inputBytes: number,
): Turn | { readonly problem: string } {
  if (partial.problem !== null) return { problem: partial.problem };
  if (partial.finish === null) return { problem: brokenOff };
  const calls = uniqueIds([...partial.calls].sort(([a], [b]) => a - b).map(([, call]) => call));
  if (isRefusal(partial)) return { problem: refusalProblem(partial) };
  if (malformedCall.test(partial.finish))
    return { problem: `the endpoint could not read the call (${partial.finish})` };
  // some endpoints leave all that a model wrote in its reasoning
  const isThought = partial.text.trim() === '' && calls.length === 0 && partial.finish !== 'length';
  const text = isThought ? partial.reasoning : partial.text;
  if (text.trim() === '' && calls.length === 0)
    return { problem: `${emptyReply} (${partial.finish})` };
  if (partial.finish === 'length' && calls.length > 0) return { problem: cutInCall };
  if (partial.finish === 'error') return { problem: brokenOff };
  return {
    text,
    reasoning: isThought || partial.reasoning === '' ? undefined : partial.reasoning,
    calls,
    opaque: collectOpaque(partial, calls),
    usage: countUsage(partial, inputBytes),
    finishReason: finishReason(partial.finish),
  };
}

/** The tokens of a reply, usable or not: as the endpoint counts them, and estimated where it names none, or names 0. */
export function countUsage(partial: PartialTurn, inputBytes: number): TokenUsage {
  const { usage, finish, received, bytes } = partial;
  const named = usage?.outputTokens ?? 0;
  const estimate = Math.ceil(Math.max(received, bytes) / 4);
  return {
    ...usage,
    inputTokens: usage?.inputTokens || Math.ceil(inputBytes / 4),
    // a stream that breaks off has counted what it had sent by then
    outputTokens: finish === null ? Math.max(named, estimate) : named || estimate,
  };
}

/** Counts the characters of a piece of a stream, in the form of each API. */
export function countPiece(turn: PartialTurn, event: unknown): void {
  const { delta, choices } = asObject(event);
  const [choice] = Array.isArray(choices) ? choices : [];
  turn.received += countLetters(delta ?? asObject(choice).delta);
}

function countLetters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.entries(value).map(([name, part]) =>
    name === 'type' ? 0 : countLetters(part),
  );
  return sum(parts);
}

/** Gemini: "MALFORMED_FUNCTION_CALL", behind `function_call_filter: ` at its compatible endpoint. */
export const malformedCall = /MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|MALFORMED_TOOL_CALL/i;

/** Reasons of vendors for a reply that their filter ended. */
const filtered =
  /^(?:content_filter|safety|prohibited_content|blocklist|spii|recitation|image_safety|model_armor)$/i;

/** True for a reply that the model refused, or that a filter ended. */
export function isRefusal({ finish, refusal, calls }: PartialTurn): boolean {
  return filtered.test(finish ?? '') || (refusal !== '' && calls.size === 0);
}

/** Most characters of the words of a refusal that a person reads. */
const maxRefusalChars = 400;

function refusalProblem({ finish, refusal, text }: PartialTurn): string {
  const words = [...(refusal.trim() || text.trim())].slice(0, maxRefusalChars).join('');
  const what = filtered.test(finish ?? '')
    ? 'the endpoint filtered the reply'
    : 'the model refused';
  return words === '' ? what : `${what}: ${words}`;
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

/** What must travel back with the calls of a turn, unchanged; undefined for nothing. */
function collectOpaque(partial: PartialTurn, calls: readonly ToolCall[]): Turn['opaque'] {
  if (partial.opaque !== null) return partial.opaque;
  const parts = [...partial.calls.values()];
  const byCall = calls.map((call, i) => [call.id, parts[i]?.opaque ?? {}] as const);
  const some = byCall.filter(([, fields]) => Object.keys(fields).length > 0);
  const none = some.length === 0 && Object.keys(partial.fields).length === 0;
  if (none || calls.length === 0) return undefined;
  return { api: 'chat', text: partial.fields, byCall: Object.fromEntries(some) };
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

function uniqueIds(calls: readonly PartialCall[]): readonly ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, i) => {
    const id = call.id === '' || seen.has(call.id) ? `call_${i + 1}_${seen.size}` : call.id;
    seen.add(id);
    return { id, name: call.name, argumentsText: call.argumentsText };
  });
}
