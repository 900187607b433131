/** How a request failed: the cause that the endpoint names, in whichever form, as bounded text that never holds the key. Pure. */
import { APIError } from 'openai/core/error';
import { asObject, parseJson } from '../base/schema-issue.ts';
import { listCauses } from '../process/network.ts';
import {
  brokenOff,
  cutInCall,
  emptyReply,
  isRefusal,
  malformedCall,
  noData,
  type PartialTurn,
} from './apis/partial-turn.ts';
import { type Failure, findCauseStatus, webPage } from './retry.ts';

/** Stands for a web page that came with status 200. */
export const pageCode = 'web_page';

/** A failure in the one form that the SDK reads, with the cause that the endpoint named in any. */
export function asError(
  { headers }: Response,
  { status, text, named }: { status: number; text: string; named?: string },
): Response {
  const { code, message } = readCause(text);
  const { error: inner, estimated_time } = asObject(parseJson(text));
  const { failed_generation, param } = asObject(inner);
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  kept.set('content-type', 'application/json');
  const error = { message, code: named ?? code, param, failed_generation, estimated_time };
  return new Response(JSON.stringify({ error }), { status, headers: kept });
}

/** The message with which a run ends after so many tries. */
export function formatMessage(failure: Failure, tries: number): string {
  const isOwn = failure.status === undefined || failure.vendorCode === pageCode;
  const status = isOwn ? '' : `HTTP ${failure.status}: `;
  return `The model request failed${tries > 1 ? ` ${tries} times, the last time` : ''}: ${status}${failure.message}`;
}

/** A reply without a turn: the endpoint broke it off, with an error or without a word, or it is unusable. */
export function replyFailure(problem: string, partial: PartialTurn, apiKey: string): Failure {
  const { code = '', message = '' } = partial.endpointError ?? {};
  const cause = [code, message].filter(Boolean).join(': ');
  return {
    status: findCauseStatus(code, message),
    vendorCode: code,
    message: withoutKey(
      cause === '' ? problem : `the endpoint ended the reply with ${cause}`,
      apiKey,
    ),
    badReply: problem !== brokenOff && problem !== noData,
    isEmpty: problem.startsWith(emptyReply),
    ranOut: problem.startsWith(emptyReply) && partial.finish === 'length',
    refused: isRefusal(partial),
    unreadable:
      malformedCall.test(partial.finish ?? '') || problem === cutInCall ? problem : undefined,
  };
}

function withoutKey(text: string, apiKey: string): string {
  return text
    .replaceAll(apiKey === '' ? '\0' : apiKey, '***')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** Describes an error of the SDK. `idleMs` is the time without data after which it was given up. */
export function describeFailure(
  error: unknown,
  idleMs: number | undefined,
  apiKey: string,
): Failure {
  const e = asObject(error);
  const headers = e.headers instanceof Headers ? e.headers : undefined;
  const cause = error instanceof APIError ? findCause({ error: error.error }) : undefined;
  const network = cause === undefined ? networkCause(error) : undefined;
  const vendorCode = cause?.code ?? network?.code ?? '';
  const named = cause?.message ?? network?.message ?? formatError(error);
  const message = withoutKey(
    idleMs === undefined
      ? named
      : `Photon gave up after ${Math.round(idleMs / 1000)} s without data`,
    apiKey,
  );
  // an error inside a stream has a name and no status
  const status =
    typeof e.status === 'number' ? e.status : cause && findCauseStatus(vendorCode, named);
  // llama.cpp and vLLM name no code
  const isUnreadable =
    vendorCode === 'tool_use_failed' || /failed to parse (?:input|tool call)/i.test(message);
  return {
    status: status ?? undefined,
    vendorCode,
    param: typeof e.param === 'string' ? e.param : '',
    message,
    refused: /content_?filter/i.test(vendorCode),
    retryAfter: headers?.get('retry-after') ?? undefined,
    retryAfterMs: headers?.get('retry-after-ms') ?? undefined,
    resets: listResets(headers, e.error),
    badReply: error instanceof SyntaxError || isUnreadable,
    unreadable: isUnreadable ? unreadableCall(e.error, message) : undefined,
  };
}

/** Limits as vendors name them in headers: OpenAI and Groq, Anthropic, OpenRouter. */
const limits = ['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap(kind => [
  [`x-ratelimit-reset-${kind}`, `x-ratelimit-remaining-${kind}`] as const,
  [`anthropic-ratelimit-${kind}-reset`, `anthropic-ratelimit-${kind}-remaining`] as const,
]);

/** When the limits that are used up begin anew, by the headers, or by `estimated_time` in the body (Hugging Face). */
function listResets(headers: Headers | undefined, body: unknown): readonly string[] {
  const { estimated_time } = asObject(body);
  const found = [...limits, ['x-ratelimit-reset', 'x-ratelimit-remaining'] as const].flatMap(
    ([reset, remaining]) =>
      Number(headers?.get(remaining) ?? 0) <= 0 ? [headers?.get(reset)] : [],
  );
  return [...found, estimated_time].flatMap(text =>
    typeof text === 'string' || typeof text === 'number' ? [String(text)] : [],
  );
}

/** Groq: the model wrote a call that its endpoint could not read, and which it quotes as `failed_generation`. */
function unreadableCall(error: unknown, message: string): string {
  const quoted: unknown = Object(error).failed_generation;
  return typeof quoted === 'string' && quoted !== '' ? quoted.slice(0, 2_000) : message;
}

/** The deepest cause of a connection that failed: its code, and the words of the system. */
function networkCause(error: unknown): NamedCause | undefined {
  for (const each of listCauses(error).toReversed()) {
    // the Fetch standard allows some ports to nobody
    const code = each.message === 'bad port' ? 'EBADPORT' : Reflect.get(each, 'code');
    if (typeof code !== 'string' || !/^E[A-Z_]+$/.test(code)) continue;
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    return { code, message: `no connection: ${inner instanceof Error ? inner.message : code}` };
  }
  return undefined;
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message.replace(/^\d{3} /, '')}${cause}`;
}

/** What an endpoint says went wrong. */
export interface NamedCause {
  /** Its own code, or else the type of the error; empty if it names neither. */
  readonly code: string;
  readonly message: string;
}

/** Most characters of a cause. */
const maxChars = 2_000;

/** The first text or number among the values that says something. */
function firstText(...values: readonly unknown[]): string {
  const found = values.find(
    value => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number',
  );
  return found === undefined ? '' : String(found).slice(0, maxChars);
}

/**
 * The cause in a body, or in one event of a stream. Undefined for one that names none, so that a reply is never taken
 * for an error: it has `choices`, `output` or `content`.
 */
export function findCause(body: unknown): NamedCause | undefined {
  // Gemini's compatible endpoint puts the error into a list
  const whole = asObject(Array.isArray(body) ? body[0] : body);
  if (['choices', 'output', 'content'].some(name => Array.isArray(whole[name]))) return undefined;
  const { error, errors, detail, base_resp, object, success } = whole;
  const listed = Array.isArray(errors) ? errors[0] : undefined;
  for (const each of [error, listed]) {
    const found = readError(each, whole);
    if (found !== undefined) return found;
  }
  // MiniMax
  const { status_code, status_msg } = asObject(base_resp);
  if (typeof status_code === 'number' && status_code !== 0)
    return { code: firstText(status_code), message: firstText(status_msg) };
  // FastAPI, and what is built on it
  const described = firstText(detail, asObject(detail).message, joinDetails(detail));
  if (described !== '') return { code: firstText(whole.code), message: described };
  // vLLM and Mistral: {"object": "error", "message": …}; Zhipu: {"code": 1113, "msg": …}
  const code = firstText(whole.code, whole.error_code, whole.type, whole.__type);
  const message = firstText(
    whole.message,
    whole.msg,
    whole.error_msg,
    whole.Message,
    joinDetails(asObject(whole.message).detail),
  );
  const isError = object === 'error' || success === false || code !== '';
  return isError && message !== '' ? { code, message } : undefined;
}

function readError(
  error: unknown,
  { message, error_description }: Readonly<Record<string, unknown>>,
): NamedCause | undefined {
  if (typeof error === 'string' && error !== '') {
    const more = firstText(error_description, message);
    return { code: '', message: more === '' ? firstText(error) : `${firstText(error)}: ${more}` };
  }
  const about = asObject(error);
  if (Object.keys(about).length === 0) return undefined;
  const stated = firstText(about.message, about.msg, about.detail, asObject(about.error).message);
  const code = firstText(about.code, about.type, about.status);
  // OpenRouter quotes what the provider itself said
  const quoted = quotedCause(asObject(about.metadata).raw);
  const text = stated === '' && quoted === '' ? JSON.stringify(about).slice(0, maxChars) : stated;
  return { code, message: [text, quoted].filter(part => part !== '').join(': ') };
}

/** The words of a provider behind a gateway: its message, or its text as it is. */
function quotedCause(raw: unknown): string {
  if (typeof raw !== 'string') return firstText(findCause(raw)?.message);
  return firstText(findCause(parseJson(raw))?.message, raw);
}

function joinDetails(detail: unknown): string {
  if (!Array.isArray(detail)) return '';
  const texts = detail.map(each => {
    const { msg, message, loc } = asObject(each);
    const at = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
    return `${at}${firstText(msg, message, each)}`;
  });
  return texts.join('; ').slice(0, maxChars);
}

/** True for the text of a web page. */
export function isPage(text: string): boolean {
  return /^<(?:!doctype html|html|head|body)\b/i.test(text.trimStart().slice(0, 20));
}

/** What a web page says of itself: its title, or else its first heading. */
function findPageName(page: string): string {
  for (const tag of ['title', 'h1', 'h2']) {
    const [, inner = ''] = new RegExp(`<${tag}[^>]*>([^<]{1,300})`, 'i').exec(page) ?? [];
    if (inner.trim() !== '') return inner.replace(/\s+/g, ' ').trim();
  }
  return '';
}

/** The cause in the text of a failed reply: JSON in any form, a web page, or plain words. */
export function readCause(text: string): NamedCause {
  const parsed = parseJson(text);
  const found = findCause(parsed);
  if (found !== undefined) return found;
  if (isPage(text)) {
    const name = findPageName(text);
    return { code: '', message: `${webPage}${name === '' ? '' : `: "${name}"`}` };
  }
  const { message } = asObject(parsed);
  return { code: '', message: firstText(message, text).replace(/\s+/g, ' ').trim() };
}

/** The error for an event that is no JSON, with its text: a proxy writes plain words there. */
export function quoteEvent(error: SyntaxError, tail: string): SyntaxError {
  const events = [...tail.matchAll(/^data: ?([^\s{["].*)$/gm)].map(([, text = '']) => text.trim());
  const words = events.filter(text => text !== '[DONE]').at(-1);
  return words === undefined ? error : new SyntaxError(`an event is no JSON: ${words}`);
}
