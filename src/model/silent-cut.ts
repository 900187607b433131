/** Notices an endpoint that cuts a conversation without an error, by its counts of tokens. */
import type { Message, TokenUsage } from './turn.ts';

/** A prompt of which the endpoint saw a part alone. */
export interface SilentCut {
  /** Says what is wrong, and the setting that cures it. */
  readonly phrase: string;
  /** Tokens of a prompt that the endpoint takes without a cut, as far as its counts show. */
  readonly window: number;
}

/** Watches the requests of one endpoint. */
export interface CutWatch {
  /** Takes one event of a reply; the first one tells whether the endpoint is Ollama. */
  sawEvent(event: unknown): void;
  /** Takes a request and what the endpoint counted for it; returns a cut, the first one alone. */
  sawReply(
    sent: SentPrompt,
    usage: Pick<TokenUsage, 'inputTokens' | 'cachedTokens'>,
  ): SilentCut | undefined;
}

export interface SentPrompt {
  readonly bytes: number;
  readonly messages: readonly Pick<Message, 'role' | 'text'>[];
}

/** Bytes for each token: no text of a request has more, and few have the second. Prose has about 4. */
const maxBytesPerToken = 9;
const manyBytesPerToken = 6;
/** Fewest bytes of a request whose count says something by itself. */
const leastBytes = 8_000;
/** By how much the bytes for each token grow at once where a prompt was cut. */
const jump = 1.5;
/** By how much a prompt must be longer than the one before it, for a count that does not grow to mean a cut. */
const growth = 1.05;
/** Ollama keeps half of its context, and two tokens: a count that falls below this part of the one before is that half. */
const halfPart = 0.6;
/** Fewest tokens of a context that a model for agents has: a smaller count for a long prompt counts something else. */
const leastWindow = 1_000;
/** How far below a power of two the count of a full context is, in tokens. */
const nearWindow = 64;
/** A count that falls to less than this part leaves out what the endpoint has in its cache. */
const leastPart = 0.4;

/**
 * Servers of local models answer 200 for a prompt that is longer than their context. Ollama drops the beginning and
 * counts half of the context (ollama/ollama#17427, esengine/DeepSeek-Reasonix#10245); others drop what is oldest and
 * count the whole context. Only the owner of such a server can make its context larger.
 */
export function watchCuts(): CutWatch {
  let isOllama = false;
  let isDone = false;
  /** True once two counts differed: an endpoint that always names one number counts nothing. */
  let differs = false;
  /** The last prompt that was counted as a whole. */
  let last: CountedPrompt = { bytes: 0, tokens: 0, messages: [] };
  return {
    sawEvent: event => {
      isOllama ||= Object(event).system_fingerprint === 'fp_ollama';
    },
    sawReply: ({ bytes, messages }, { inputTokens: tokens, cachedTokens = 0 }) => {
      if (isDone || tokens <= 0) return undefined;
      if (!isOllama && bytes >= leastBytes && tokens < leastWindow) return undefined;
      differs ||= last.tokens > 0 && tokens !== last.tokens;
      if (last.tokens === tokens && !differs && !isFull(tokens)) return undefined;
      const now = { bytes, tokens, messages };
      const before = last;
      // what leaves out the cache says nothing about a cut
      const leavesOut = cachedTokens >= tokens || (!isOllama && isPart(now, before));
      isDone = leavesOut || isCut(now, before);
      if (!isDone) last = now;
      if (leavesOut || !isDone) return undefined;
      const isHalf = isOllama && tokens < before.tokens * halfPart;
      return {
        phrase: describeCut(now, before, isOllama),
        window: Math.max(tokens, before.tokens, isHalf ? (tokens - 2) * 2 : 0),
      };
    },
  };
}

/** True for the count of a prompt that fills a context of a usual size. */
function isFull(tokens: number): boolean {
  const window = 2 ** Math.ceil(Math.log2(tokens));
  return window - tokens < nearWindow;
}

/** A prompt and its count; zero before the first one. */
interface CountedPrompt extends SentPrompt {
  readonly tokens: number;
}

function isPart(now: CountedPrompt, before: CountedPrompt): boolean {
  return now.bytes >= before.bytes && now.tokens < before.tokens * leastPart;
}

function isCut(now: CountedPrompt, before: CountedPrompt): boolean {
  const ratio = now.bytes / now.tokens;
  if (now.bytes >= leastBytes && ratio > maxBytesPerToken) return true;
  if (before.tokens === 0 || now.bytes < before.bytes) return false;
  const jumps = ratio > jump * (before.bytes / before.tokens);
  if (!isLonger(now, before)) return jumps && ratio > manyBytesPerToken;
  return jumps || (now.bytes > before.bytes * growth && now.tokens <= before.tokens);
}

/** True for a conversation that goes on: what was made smaller in between may hold text of another kind. */
function isLonger({ messages }: CountedPrompt, before: CountedPrompt): boolean {
  return (
    messages.length > before.messages.length &&
    before.messages.every(
      ({ role, text }, i) => messages[i]?.role === role && messages[i]?.text === text,
    )
  );
}

function describeCut(now: CountedPrompt, before: CountedPrompt, isOllama: boolean): string {
  const earlier =
    before.tokens === 0 ? '' : `, and ${before.tokens} for one of ${before.bytes} bytes before it`;
  const counted = `counted ${now.tokens} input tokens for a prompt of ${now.bytes} bytes${earlier}, so it cuts the conversation in silence`;
  return isOllama
    ? `Ollama ${counted}; set OLLAMA_CONTEXT_LENGTH at its server, or num_ctx in the file of the model, to 32768 or more`
    : `it ${counted}; load the model with a context of 32768 tokens or more (LM Studio: context length; llama.cpp: --ctx-size; vLLM: --max-model-len)`;
}
