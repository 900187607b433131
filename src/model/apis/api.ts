/** A model API: how one kind of endpoint takes a conversation and sends a reply. */
import type { OpenAI } from 'openai/client';
import type { ModelRequest, OpaqueParts } from '../turn.ts';
import type { PartialTurn } from './partial-turn.ts';

export type ApiName = OpaqueParts['api'];

export type JsonObject = Readonly<Record<string, unknown>>;

/** What is known of an endpoint: from the tables of providers and models, from settings, and from its refusals. */
export interface EndpointFacts {
  /** The API that it serves. */
  readonly api: ApiName;
  /** The API that was left for it because a refusal named it; null if none was, or that step was taken back. */
  readonly leftApi: ApiName | null;
  /** An API that it does not serve, though a refusal named it; null if none is known. */
  readonly missing: ApiName | null;
  /** Field of chat completions that holds the limit of the reply; null sends none. */
  readonly tokenLimitKey: 'max_completion_tokens' | 'max_tokens' | null;
  /** Largest limit of the reply that the endpoint takes; null when none is known. */
  readonly maxReplyTokens: number | null;
  readonly stream: boolean;
  /** The effort of reasoning: as a person set it, or `none` for models that refuse tools while they reason; null sends none. */
  readonly reasoningEffort: string | null;
  /** True for endpoints that take only ids of nine letters and digits. */
  readonly shortIds: boolean;
  /** Whether chat completions get `prompt_cache_key`, which names the cache of a task. */
  readonly cacheKey: boolean;
  /** Whether images are sent; text stands for them otherwise. */
  readonly images: boolean;
  /** What stands for the text of a reply that had calls alone: some endpoints refuse null, and some an empty text. */
  readonly emptyContent: EmptyContent;
  /** True for endpoints whose template takes no system role, or lets the roles alternate alone. */
  readonly foldsRoles: boolean;
  /** True for endpoints that want `reasoning_content` with each call, also where the reply had none. */
  readonly wantsReasoning: boolean;
  /** Whether a summary of the thinking is asked for, since its text is empty otherwise. */
  readonly showsThinking: boolean;
  /** Fields that a person added to the body. */
  readonly extraBody: JsonObject;
  /** Optional fields that the endpoint refused; they are left out. */
  readonly refused: ReadonlySet<string>;
}

/** Stands among the refused fields for signed and encrypted reasoning, which travels back with its calls. */
export const reasoningItems = 'reasoning items';

export type EmptyContent = null | '' | '.';

/** What goes with a body. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Null takes a header of the SDK away. */
  readonly headers: Readonly<Record<string, string | null>>;
}

export interface Api {
  /** Fields that a request can do without, the narrowest first; `reasoning.summary` is a field inside a field. */
  readonly optional: readonly string[];
  /** The form of the call ids that it takes; absent for one that gets back the ids that it made. */
  readonly callIds?: RegExp;
  /** Headers that carry the key. */
  headers(key: string, baseUrl: string): Readonly<Record<string, string | null>>;
  /** The body of a request. Pure. */
  body(request: ModelRequest, model: string, facts: EndpointFacts): JsonObject;
  /** Sends a body; the SDK returns the events of a stream if the body asks for one, and else the whole reply. */
  send(client: OpenAI, body: JsonObject, options: SendOptions): Promise<unknown>;
  /** True for a whole reply, which some proxies send in place of a stream. */
  isWhole(event: JsonObject): boolean;
  /** Adds one event of a stream (parsed JSON of an SSE data line). Untrusted: any field may be missing. */
  addEvent(turn: PartialTurn, event: unknown): void;
  /** The same for a whole reply, to a turn that is empty. */
  addWhole(turn: PartialTurn, reply: unknown): void;
  /** The type of the event behind which nothing is waited for: some gateways leave the connection open. */
  readonly lastEvent?: RegExp;
  /** Takes note that the stream is over; `marked` where it held its end mark, `data: [DONE]`. Absent where the last event is the end. */
  endStream?(turn: PartialTurn, marked: boolean): void;
}

/** The most conservative form, for an endpoint that no table names: every server takes `max_tokens` or refuses it aloud. */
export const firstFacts: EndpointFacts = {
  api: 'chat',
  leftApi: null,
  missing: null,
  tokenLimitKey: 'max_tokens',
  maxReplyTokens: null,
  stream: true,
  reasoningEffort: null,
  shortIds: false,
  cacheKey: false,
  images: false,
  emptyContent: null,
  foldsRoles: false,
  wantsReasoning: false,
  showsThinking: false,
  extraBody: {},
  refused: new Set(),
};
