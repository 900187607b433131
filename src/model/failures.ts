/** How a request failed, in bounded text that never holds the key. Pure. */
import { APIError } from 'openai/core/error';
import { asObject, parseJson } from '../base/schema-issue.ts';
import {
  brokenOff,
  emptyReply,
  isRefusal,
  malformedCall,
  noData,
  type PartialTurn,
} from './apis/partial-turn.ts';
import { findCause, readCause } from './endpoint-error.ts';
import { type Failure, findCauseStatus } from './retry.ts';

/** Stands for a web page that came with status 200. */
export const pageCode = 'web_page';

/** A failure in the one form that the SDK reads, with the cause that the endpoint named in any. */
export function asError(
  { headers }: Response,
  { status, text, named }: { status: number; text: string; named?: string },
): Response {
  const { code, message } = readCause(text);
  const { failed_generation, param } = asObject(asObject(parseJson(text)).error);
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  kept.set('content-type', 'application/json');
  const error = { message, code: named ?? code, param, failed_generation };
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
    retryAfter: undefined,
    retryAfterMs: undefined,
    badReply: problem !== brokenOff && problem !== noData,
    isEmpty: problem.startsWith(emptyReply),
    refused: isRefusal(partial),
    unreadable: malformedCall.test(partial.finish ?? '') ? problem : undefined,
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
    idleMs === undefined ? named : `no data for ${idleMs / 1000} s`,
    apiKey,
  );
  // an error inside a stream has a name and no status
  const status =
    typeof e.status === 'number' ? e.status : cause && findCauseStatus(vendorCode, named);
  return {
    status: status ?? undefined,
    vendorCode,
    param: typeof e.param === 'string' ? e.param : '',
    message,
    refused: /content_?filter/i.test(vendorCode),
    retryAfter: headers?.get('retry-after') ?? undefined,
    retryAfterMs: headers?.get('retry-after-ms') ?? undefined,
    badReply: error instanceof SyntaxError || vendorCode === 'tool_use_failed',
    unreadable: vendorCode === 'tool_use_failed' ? unreadableCall(e.error, message) : undefined,
  };
}

/** Groq: the model wrote a call that its endpoint could not read, and which it quotes as `failed_generation`. */
function unreadableCall(error: unknown, message: string): string {
  const quoted: unknown = Object(error).failed_generation;
  return typeof quoted === 'string' && quoted !== '' ? quoted.slice(0, 2_000) : message;
}

/** The deepest cause of a connection that failed: its code, and the words of the system. */
function networkCause(error: unknown): { code: string; message: string } | undefined {
  let found: { code: string; message: string } | undefined;
  for (
    let each = error, depth = 0;
    each instanceof Error && depth < 8;
    each = each.cause, depth++
  ) {
    // the Fetch standard allows some ports to nobody
    const code = each.message === 'bad port' ? 'EBADPORT' : Reflect.get(each, 'code');
    if (typeof code !== 'string' || !/^E[A-Z_]+$/.test(code)) continue;
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    found = { code, message: `no connection: ${inner instanceof Error ? inner.message : code}` };
  }
  return found;
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message.replace(/^\d{3} /, '')}${cause}`;
}
