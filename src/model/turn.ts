/** The types of a conversation with a model, the same for every protocol. */
import type { RetrySchedule } from './retry.ts';

/** One tool call of a reply. Its arguments are still untrusted text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
  /** The arguments as they were sent, where Photon read them as something else. */
  readonly sentText?: string | undefined;
}

/**
 * Maximum calls of one reply that run. OpenAI refuses a message with more than 128 `tool_calls`
 * (`array_above_max_length`), though its models write such replies.
 */
export const maxCallsOfReply = 128;

/** Tokens as the endpoint counted them. */
export interface TokenUsage {
  readonly inputTokens: number;
  /** Input tokens that came from a cache of the endpoint; a part of `inputTokens`. */
  readonly cachedTokens?: number;
  /** Input tokens that the endpoint wrote into its cache; a part of `inputTokens`. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
}

/** Data of an endpoint, such as signed reasoning, that must travel back unchanged with the reply it came with. */
export interface OpaqueParts {
  readonly api: 'chat' | 'responses' | 'messages';
  /** Name of the model that sent it; absent in a run with one model. */
  readonly model?: string;
  /** Belongs to the text of the reply. */
  readonly text: Readonly<Record<string, unknown>>;
  /** Belongs to a call, by its id. */
  readonly byCall: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One complete reply. A reply that broke off is never a turn. */
export interface Turn {
  readonly text: string;
  /** Reasoning that the endpoint reports beside the text; absent when it reports none. */
  readonly reasoning?: string | undefined;
  readonly calls: readonly ToolCall[];
  readonly usage: TokenUsage;
  readonly opaque?: OpaqueParts;
  /** What of its calls was read in another way than it was sent, such as `grep arguments`. */
  readonly readAs?: readonly string[] | undefined;
  /** The model that replied; absent in a run with one model. */
  readonly model?: string | undefined;
  /**
   * Tokens of a prompt that the endpoint takes whole; set where it saw a part of this one alone and told nobody.
   * The reply is then an answer to something else.
   */
  readonly cutAt?: number | undefined;
  readonly finishReason: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown';
}

/** Images behind the text of a message. */
export interface AttachedImages {
  readonly list: readonly { readonly mediaType: string; readonly base64: string }[];
  /** Text before the images. */
  readonly intro: string;
  /** Text that stands for them where the model takes none. */
  readonly instead: string;
}

/** The text of a user's message, and the images that this endpoint gets with it. */
export function sentParts(
  { text, images }: Extract<Message, { role: 'user' }>,
  takesImages: boolean,
): { readonly text: string; readonly images: AttachedImages['list'] } {
  if (images === undefined || images.list.length === 0) return { text, images: [] };
  return takesImages
    ? { text: `${text}\n${images.intro}`, images: images.list }
    : { text: `${text}\n${images.instead}`, images: [] };
}

/** Bytes that an image counts for: vendors scale it down to about 1,600 tokens. */
export const bytesOfImage = 5_000;

export type Message =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: AttachedImages }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly opaque?: OpaqueParts;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

/** The messages with each run of texts of a user as one: the templates of many local models let the roles alternate alone. */
export function joinUsers(messages: readonly Message[]): readonly Message[] {
  return joinTexts(messages, last => last.role === 'user');
}

/** The messages without a system role, and with no text of a user behind a result. */
export function foldRoles(messages: readonly Message[]): readonly Message[] {
  const system = messages.flatMap(m => (m.role === 'system' ? [m.text] : []));
  const others = messages.filter(m => m.role !== 'system');
  const folded = joinTexts(others, last => last.role === 'tool');
  return joinUsers([...system.map(text => ({ role: 'user' as const, text })), ...folded]);
}

/** The messages, where the text of a user joins the message before it if that takes it. */
function joinTexts(
  messages: readonly Message[],
  takes: (last: Message) => boolean,
): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isNext = message.role === 'user' && message.images === undefined;
    if (last === undefined || !isNext || !takes(last)) joined.push(message);
    else joined.splice(-1, 1, { ...last, text: `${last.text}\n\n${message.text}` });
  }
  return joined;
}

/** A tool as the model sees it: JSON schema of its arguments. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What a request says of the parameters; default: all of it. */
  readonly brief?: Readonly<Record<string, unknown>>;
  /** Further arguments that are accepted, by name, as JSON schemas. The model is not told of them. */
  readonly accepts?: Readonly<Record<string, unknown>>;
  /** Reads a form of the arguments that models know from other agents; undefined for any other. */
  readonly readForm?: ((given: unknown) => object | undefined) | undefined;
  /** Further names by which it may be called. The model is not told of them. */
  readonly aliases?: readonly string[];
  /** The same as native calls may name it; a tag of such a name would be taken for prose. */
  readonly knownAs?: readonly string[];
  /** True: description and parameters become known during the run, before a request holds them. */
  readonly isLate?: boolean;
  /** True: a skill of the allowlist can grant it, so every request defines it. */
  readonly isGrantable?: boolean;
}

/** What the replies of a conversation cost, those included that are thrown away. */
export interface Bill {
  /** Counts a reply that was thrown away; the model of this name made it. */
  discard(usage: TokenUsage, model: string): void;
  /**
   * Upper bound of the next reply, in tokens; `raise` multiplies what the settings allow a reply.
   * @throws PhotonError `BUDGET_*` where no request is allowed.
   */
  allow(raise: number): number;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Upper bound for the reply, in tokens. */
  readonly maxOutputTokens: number;
  /** Asked before each request, repeated ones included; without it, only the reply that is returned counts. */
  readonly bill?: Bill;
  /** How the waits before a repeated request are made. */
  readonly retries: RetrySchedule;
  /** The same for all requests of a task; endpoints find their cache by it. Names no person. */
  readonly cacheKey?: string;
  /** The text that asks again for calls which the endpoint could not read; `quoted` is what it says of them. */
  readonly correction?: (quoted: string) => string;
}

/** Anything that continues a conversation with a turn. Throws PhotonError `MODEL_*` or `CANCELLED`. */
export interface Model {
  readonly name: string;
  complete(request: ModelRequest, signal: AbortSignal): Promise<Turn>;
}
