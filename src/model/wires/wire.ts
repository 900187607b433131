/** A wire: how one kind of model API takes a conversation and sends a reply. */

import type { PartialTurn } from '../native.ts';
import type { ModelRequest } from '../turn.ts';

export const wireNames = ['chat', 'responses', 'messages'] as const;
export type WireName = (typeof wireNames)[number];

/** What is known of an endpoint: from the table of providers, from settings, and learned from its refusals. */
export interface EndpointFacts {
  readonly wire: WireName;
  /** Fields of the request that the endpoint refused; they are left out. */
  readonly refused: ReadonlySet<string>;
  /** Value for the effort of reasoning; null sends none. */
  readonly reasoningEffort: string | null;
  /** Body fields that a person added. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Where the output limit goes: `max_completion_tokens`, `max_tokens` or none. */
  readonly tokenLimitKey: string | null;
  readonly stream: boolean;
  /** Longest id of a tool call that the endpoint takes; longer ones are shortened in a stable way. */
  readonly maxCallIdChars: number;
}

export interface Wire {
  readonly name: WireName;
  /** Path below the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** The body of a request. Pure. */
  body(request: ModelRequest, model: string, facts: EndpointFacts): Record<string, unknown>;
  /** Adds one event of a stream (parsed JSON of an SSE data line). Untrusted: any field may be missing. */
  addEvent(turn: PartialTurn, event: unknown): void;
  /** The same for a whole JSON reply. */
  fromWhole(reply: unknown, plain: boolean): PartialTurn;
}
