/**
 * Counts the tokens of chat requests, and what a conversation costs at given prices. The encoding is o200k, which
 * the models that publish one have in common. It is taken from gpt-tokenizer, which is plain JavaScript without
 * dependencies; the alternatives need WebAssembly or a second package.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** USD for 1,000,000 tokens. */
export interface Prices {
  /** Of input where the endpoint bills no cache writes. */
  readonly input: number;
  readonly cached: number;
  /** Of input that was not in the cache. */
  readonly write: number;
  readonly output: number;
}

/** A request as a model reads it: the definitions of the tools, then the messages. */
export type Request = readonly string[];

export interface Bill {
  /** US cents. */
  readonly cents: number;
  readonly inputTokens: number;
  /** Of the input, what the request before begins with, too. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** For each request but the first: the share of the one before that it begins with. */
  readonly keptShares: readonly number[];
}

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly function?: { readonly name: string; readonly arguments: string };
  }[];
}

/** The parts of the body of a chat completion that the model reads. */
export function readRequest(body: {
  readonly tools?: readonly unknown[] | undefined;
  readonly messages: readonly unknown[];
}): Request {
  const tools = (body.tools ?? []).map(t => JSON.stringify((t as { function: unknown }).function));
  return [...tools, ...body.messages.map(m => readMessage(m as ChatMessage))];
}

/** A message as text: role, content, and the calls of a reply. */
export function readMessage({ role, content, tool_calls: calls = [] }: ChatMessage): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  const asked = calls.map(c => `${c.function?.name}${c.function?.arguments}`);
  return [role, text, ...asked].join('\n');
}

/** Tokens of the frame of a message or a definition. */
const frameTokens = 3;

/** Tokens of a request. */
export function tokensOf(request: Request): number {
  return request.reduce((sum, part) => sum + countTokens(part) + frameTokens, 0);
}

/** Tokens that two requests have in common at their beginning. */
function sharedTokens(before: Request, after: Request): number {
  const differs = after.findIndex((part, i) => part !== before[i]);
  const same = differs < 0 ? after.length : differs;
  const [left = '', right = ''] = [before[same], after[same]];
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return tokensOf(after.slice(0, same)) + countTokens(right.slice(0, length));
}

/**
 * What a conversation costs at an endpoint whose cache keeps the whole request before: what a request begins with
 * as that one did is read from it, and the rest is written.
 */
export function computeBill(
  requests: readonly Request[],
  replies: readonly string[],
  prices: Prices,
): Bill {
  const totals = requests.map(tokensOf);
  const kept = requests.map((r, i) => (i === 0 ? 0 : sharedTokens(requests[i - 1] ?? [], r)));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const [inputTokens, cachedTokens] = [sum(totals), sum(kept)];
  const outputTokens = sum(replies.map(r => countTokens(r)));
  const micros =
    cachedTokens * prices.cached +
    (inputTokens - cachedTokens) * prices.write +
    outputTokens * prices.output;
  return {
    cents: micros / 1e4,
    inputTokens,
    cachedTokens,
    outputTokens,
    keptShares: kept.slice(1).map((k, i) => k / (totals[i] ?? 1)),
  };
}
