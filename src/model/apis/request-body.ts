/** The one gate through which a request leaves: one odd reply must not poison every later request. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { digest } from '../../base/digest.ts';
import { isShallow, parseObject } from '../../base/schema-issue.ts';
import { sendableName } from '../reading/read-call.ts';
import type { Message, ModelRequest, OpaqueParts, ToolCall } from '../turn.ts';
import { type EndpointFacts, type JsonObject, reasoningItems } from './api.ts';
import { apis } from './index.ts';

/**
 * The body of a request in the form of its API. Whatever the replies before it held, call ids are unique and have the
 * form that the endpoint takes, names are those of tools, arguments are a JSON object, and every text is Unicode.
 */
export function makeRequestBody(
  request: ModelRequest,
  model: string,
  facts: EndpointFacts,
): JsonObject {
  const messages = makeSendable(request.messages, facts);
  const body = apis[facts.api].body({ ...request, messages }, model, facts);
  return makeWellFormed(body) as JsonObject;
}

type Reply = Extract<Message, { role: 'assistant' }>;

/** A call whose result has not come yet. */
interface OpenCall {
  readonly id: string;
  readonly sentId: string;
}

function makeSendable(messages: readonly Message[], facts: EndpointFacts): readonly Message[] {
  const used = new Set<string>();
  let open: OpenCall[] = [];
  return messages.map(message => {
    if (message.role === 'tool') {
      const at = open.findIndex(call => call.id === message.callId);
      const [call] = at < 0 ? [] : open.splice(at, 1);
      return { ...message, callId: call?.sentId ?? sendableId(message.callId, facts) };
    }
    if (message.role !== 'assistant') return message;
    open = message.calls.map(({ id }) => {
      const unique = makeUnique(id.toWellFormed(), used);
      return { id, sentId: sendableId(unique, facts) };
    });
    const opaque = facts.refused.has(reasoningItems) ? undefined : message.opaque;
    return sendableReply({ ...message, opaque }, open);
  });
}

/** Some models begin to count their calls anew in each reply: `call_0`, `read_file:0`. */
function makeUnique(id: string, used: Set<string>): string {
  let unique = id;
  for (let n = 2; used.has(unique); n++) unique = `${id}_${n}`;
  used.add(unique);
  return unique;
}

/** An id that the endpoint takes: unchanged if it has the accepted form, else the start of its hash. */
function sendableId(id: string, { api, shortIds }: EndpointFacts): string {
  const form = shortIds ? /^[A-Za-z0-9]{9}$/ : apis[api].callIds;
  return form === undefined || form.test(id) ? id : digest(id).slice(0, shortIds ? 9 : 64);
}

function sendableReply(reply: Reply, ids: readonly OpenCall[]): Reply {
  const calls = reply.calls.map(
    (call, i): ToolCall => ({
      ...call,
      id: ids[i]?.sentId ?? call.id,
      name: sendableName(call.name),
      argumentsText: sendableArguments(call.argumentsText),
    }),
  );
  const { opaque } = reply;
  return { ...reply, calls, opaque: opaque && { ...opaque, byCall: withIds(opaque, ids) } };
}

/** The parts of each call under the id that is sent. A call may have any id, `constructor` too. */
function withIds({ byCall }: OpaqueParts, ids: readonly OpenCall[]): OpaqueParts['byCall'] {
  return Object.fromEntries(
    ids.flatMap(({ id, sentId }) =>
      Object.hasOwn(byCall, id) ? [[sentId, byCall[id] ?? {}] as const] : [],
    ),
  );
}

/**
 * Servers parse the arguments of earlier calls, and refuse every request that holds some which are cut or no object
 * (vllm-project/vllm#53269). What cannot be read travels inside an object.
 */
function sendableArguments(text: string): string {
  if (text.trim() === '') return '{}';
  const value = parseObject(text);
  if (value === undefined || !isShallow(value, maxDepth))
    return JSON.stringify({ unreadable: text.toWellFormed() });
  const wellFormed = makeWellFormed(value);
  return isDeepStrictEqual(value, wellFormed) ? text : JSON.stringify(wellFormed);
}

/** Most levels of arguments: serde_json, which several servers read them with, refuses more than 127. */
const maxDepth = 100;

/** The same JSON, with a replacement character for each half of one: "no low surrogate in string" (claude-code#60394). */
function makeWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(makeWellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), makeWellFormed(inner)]),
  );
}
