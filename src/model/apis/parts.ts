/** What the model APIs share: fields of a request, and replies in parts. Pure. */
import { asObject } from '../../base/schema-issue.ts';
import { headersOfKey } from '../../settings/vendors.ts';
import type { AttachedImages, Message, ModelRequest, OpaqueParts } from '../turn.ts';
import type { ApiName, EndpointFacts, JsonObject } from './api.ts';
import { addText, addWords, grow, maxReplyChars, type PartialTurn } from './partial-turn.ts';

/** The value if it is an array, and an empty one for anything else. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text, and an empty text for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** One part of a complete reply, in the order of the reply. */
export type ReplyPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly argumentsText: string;
    }
  /** Reasoning: `text` may be read; `item` travels back unchanged before the part that follows it. */
  | { readonly kind: 'reasoning'; readonly text: string; readonly item: JsonObject | null };

/** Maximum characters of the parts of a reply that travel back unchanged. */
const maxOpaqueChars = 2_000_000;

/** Puts the parts of a complete reply into its turn. `textFields` belong to the text as a whole. */
export function addParts(
  turn: PartialTurn,
  api: ApiName,
  { parts, textFields = {} }: { parts: readonly ReplyPart[]; textFields?: JsonObject },
): void {
  const byCall: Record<string, JsonObject> = {};
  const beforeText: JsonObject[] = [];
  let pending: JsonObject[] = [];
  for (const part of parts) {
    if (part.kind === 'reasoning') {
      addWords(turn, 'reasoning', part.text);
      if (part.item !== null) pending.push(part.item);
      continue;
    }
    if (part.kind === 'text') {
      if (turn.text === '') beforeText.push(...pending.splice(0));
      addText(turn, part.text);
      continue;
    }
    const { id, name, argumentsText } = part;
    const call = { id: id.slice(0, 200), name: '', argumentsText: '', opaque: {} };
    turn.calls.set(turn.calls.size, call);
    grow(turn, name.length + argumentsText.length, () =>
      Object.assign(call, { name, argumentsText }),
    );
    if (pending.length > 0) byCall[call.id] = { before: pending };
    pending = [];
  }
  const text = beforeText.length === 0 ? textFields : { ...textFields, before: beforeText };
  if (Object.keys(text).length + Object.keys(byCall).length === 0) return;
  turn.opaque = { api, text, byCall };
  if (JSON.stringify(turn.opaque).length > maxOpaqueChars)
    turn.problem = `the reply is larger than ${maxReplyChars} characters`;
}

/** The items that go before the text of a reply, or before one of its calls. */
export function itemsBefore(
  { opaque }: Extract<Message, { role: 'assistant' }>,
  { api, callId }: { readonly api: ApiName; readonly callId?: string },
): readonly JsonObject[] {
  if (opaque?.api !== api) return [];
  const parts = callId === undefined ? opaque.text : ownValue(opaque.byCall, callId);
  return asArray(parts.before).map(asObject);
}

/** A call may have any id, `constructor` too. */
function ownValue(byCall: OpaqueParts['byCall'], id: string): JsonObject {
  return Object.hasOwn(byCall, id) ? (byCall[id] ?? {}) : {};
}

/** Most tokens of a reply that the request and the endpoint allow. */
export function replyLimit(
  { maxOutputTokens }: ModelRequest,
  { maxReplyTokens }: EndpointFacts,
): number {
  return Math.min(maxOutputTokens, maxReplyTokens ?? maxOutputTokens);
}

/** An image in the address itself, so that no server has to fetch it. */
export function dataUrl({ mediaType, base64 }: AttachedImages['list'][number]): string {
  return `data:${mediaType};base64,${base64}`;
}

/** The key as a bearer; Azure's classic addresses want it in a header of their own, but for tokens of its directory. */
export function bearerHeaders(
  key: string,
  baseUrl: string,
): Readonly<Record<string, string | null>> {
  const isAzure = new URL(baseUrl).searchParams.has('api-version') && !key.startsWith('eyJ');
  return isAzure && key !== '' ? { 'api-key': key, authorization: null } : headersOfKey(key);
}

/**
 * The body that is sent: with the fields that a person added, and without those that the endpoint refused
 * (`reasoning.summary` names a field inside a field). What a person adds cannot replace a `fixed` field that is sent.
 */
export function sentBody(
  body: JsonObject,
  { extraBody, refused }: EndpointFacts,
  fixed: readonly string[],
): JsonObject {
  const added = Object.entries(extraBody).filter(
    ([name]) => !fixed.includes(name) || body[name] === undefined,
  );
  return withoutFields({ ...body, ...Object.fromEntries(added) }, refused, '');
}

function withoutFields(body: JsonObject, refused: ReadonlySet<string>, path: string): JsonObject {
  const kept = Object.entries(body).flatMap(([name, value]) => {
    if (value === undefined || refused.has(`${path}${name}`)) return [];
    if (path !== '' || Object.keys(asObject(value)).length === 0) return [[name, value]];
    const inner = withoutFields(asObject(value), refused, `${name}.`);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}
