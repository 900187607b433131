/** A wire: how one kind of model API takes a conversation and sends a reply. */

import type { WireFacts, WireName } from '../endpoint-facts.ts';
import type { ModelRequest } from '../turn.ts';
import type { PartialTurn } from './chat.ts';

export interface Wire {
  readonly name: WireName;
  /** Path below the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** The body of a request. Pure. */
  body(request: ModelRequest, model: string, facts: WireFacts): Record<string, unknown>;
  /** Adds one event of a stream (parsed JSON of an SSE data line). Untrusted: any field may be missing. */
  addEvent(turn: PartialTurn, event: unknown): void;
  /** The same for a whole JSON reply. */
  fromWhole(reply: unknown, plain: boolean): PartialTurn;
}
