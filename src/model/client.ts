/** Calls an OpenAI-compatible model endpoint through the openai SDK, with a bounded number of retries. */
import type { OpenAI } from 'openai/client';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { PhotonError } from '../codes.ts';
import { networkError } from '../process/network.ts';
import type { Wire } from './apis/api.ts';
import {
  addChunk,
  brokenOff,
  emptyTurn,
  finishTurn,
  fromCompletion,
  type PartialTurn,
  requestBody,
} from './apis/chat.ts';
import { messagesHeaders, wireNamed } from './apis/index.ts';
import {
  type EndpointFacts,
  learnFrom,
  NoToolsError,
  toolsMissing,
  type WireName,
  wireFacts,
} from './endpoint-facts.ts';
import { hintOfFailure, statusOfCode } from './hint-of-failure.ts';
import { headersOfKey } from './keys/anthropic.ts';
import type { KeySource } from './keys/key-source.ts';
import { type EndpointChoice, startFacts } from './providers.ts';
import { decideRetry, type Failure } from './retry.ts';
import { type CutWatch, watchCuts } from './silent-cut.ts';
import { bytesOfImage, type Model, type ModelRequest, type Turn } from './turn.ts';

export interface ModelClock {
  now(): number;
  random(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface ModelOptions extends EndpointChoice {
  /** The key that is valid now. */
  readonly apiKey: KeySource;
  readonly clock: ModelClock;
  /** No request starts and no wait ends after this time, in ms since the epoch. */
  readonly deadline: number;
  /** Maximum time without a byte of the reply. */
  readonly idleTimeoutMs?: number;
  readonly log: (line: string) => void;
  /** Headers that a person added to each request. */
  readonly extraHeaders?: Readonly<Record<string, string>> | null;
  /** Told once of each thing that a refusal or a reply taught about the endpoint, as a phrase. */
  readonly onLearned?: (phrase: string) => void;
  /** Stands in for the `fetch` of the process. */
  readonly fetch?: typeof fetch;
}

const maxResponseBytes = 20 * 1024 * 1024;

/** Opens the endpoint; the SDK is loaded at the first request, or by `warmUp`. */
export function openModel(options: ModelOptions): Model & { warmUp(): void } {
  let client: Promise<OpenAI> | null = null;
  const load = () => {
    client ??= makeClient(options, state);
    return client;
  };
  const state = { facts: startFacts(options), ended: false, cuts: watchCuts() };
  return {
    name: options.model,
    warmUp: () => void load().catch(() => {}), // the first request reports the same error
    complete: (request, signal) => completeWithRetries({ options, load, state }, request, signal),
  };
}

interface Endpoint {
  readonly options: ModelOptions;
  readonly load: () => Promise<OpenAI>;
  readonly state: {
    facts: EndpointFacts;
    /** True once the body of a stream held its end mark. */
    ended: boolean;
    readonly cuts: CutWatch;
  };
}

async function makeClient(options: ModelOptions, state: Endpoint['state']): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai/client');
  return new Client({
    apiKey: '-', // each request sets its own
    ...addressOf(options),
    maxRetries: 0,
    timeout: Math.max(1000, options.deadline - options.clock.now()),
    logLevel: 'off',
    fetch: guardedFetch(options.fetch ?? fetch, state),
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
  });
}

/** A JSON reply as the stream that was asked for; the SDK reads nothing else. */
function asEvents(text: string): string {
  return `data: ${text.replace(/[\r\n]+/g, ' ')}\n\ndata: [DONE]\n\n`;
}

/** The SDK takes a query apart from the address; Azure's classic addresses carry `api-version`. */
function addressOf({ baseUrl }: ModelOptions) {
  const url = new URL(baseUrl);
  const defaultQuery = Object.fromEntries(url.searchParams);
  url.search = '';
  return { baseURL: url.href.replace(/\/$/, ''), defaultQuery };
}

/** The headers that carry a key; a token of Azure's own directory is a bearer. */
function keyHeaders(
  { baseUrl }: ModelOptions,
  key: string,
  wire: WireName,
): Readonly<Record<string, string | null>> {
  const bearer = headersOfKey(key);
  if (wire === 'messages') {
    const own = messagesHeaders(key);
    return Object.keys(bearer).length > 0
      ? { ...bearer, 'anthropic-version': own['anthropic-version'] ?? '' }
      : { ...own, authorization: null };
  }
  const isAzure = new URL(baseUrl).searchParams.has('api-version') && !key.startsWith('eyJ');
  return isAzure && key !== '' ? { 'api-key': key, authorization: null } : bearer;
}

/** Fetches without following redirects, which would send the key to another host, and bounds the body. */
function guardedFetch(send: typeof fetch, state: Endpoint['state']): typeof fetch {
  return async (url, init) => bounded(await send(url, { ...init, redirect: 'manual' }), state);
}

async function bounded(response: Response, state: Endpoint['state']): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const body = JSON.stringify({
      error: { message: 'the endpoint redirects; set base-url to its final address' },
    });
    return new Response(body, { status: 400, headers: { 'content-type': 'application/json' } });
  }
  if (response.body === null) return response;
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  let size = 0;
  let tail = '';
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      tail = (tail + Buffer.from(chunk).toString('latin1')).slice(-20);
      if (/data: ?\[DONE\]/.test(tail)) state.ended = true;
      if (size > maxResponseBytes)
        controller.error(new Error(`the reply is larger than ${maxResponseBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(bound);
  if (!isJson || !response.ok) return new Response(body, { status, statusText, headers });
  return new Response(asEvents(await new Response(body).text()), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

async function completeWithRetries(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Turn> {
  const { clock, deadline, log } = endpoint.options;
  let lessons = 0;
  let sent = request;
  for (let failures = 0; ; ) {
    const result = await attempt(endpoint, sent, signal);
    if ('turn' in result) return result.turn;
    if (signal.aborted) throw cancelled(signal);
    const learned = learnFrom(result.failure, endpoint.state.facts);
    if (learned !== null && lessons < maxLessons) {
      lessons += 1;
      endpoint.state.facts = learned.facts;
      tell(endpoint, learned.phrase);
      continue;
    }
    const noTools = toolsMissing(result.failure);
    if (noTools !== null) throw new NoToolsError(noTools);
    failures += 1;
    sent = withCorrection(request, result.failure);
    const now = clock.now();
    const decision = decideRetry(result.failure, {
      failures,
      now,
      remainingMs: deadline - now,
      schedule: request.retries,
      random: clock.random,
    });
    if ('giveUp' in decision)
      throw new PhotonError(decision.giveUp, messageOf(result.failure, failures), {
        hint: hintOfFailure(result.failure),
      });
    log(
      `Model request failed: ${result.failure.message}. Trying again in ${Math.round(decision.waitMs / 100) / 10} s.`,
    );
    await clock.sleep(decision.waitMs, signal);
    if (signal.aborted) throw cancelled(signal);
  }
}

/** The request that follows a call which the endpoint could not read: the model learns what is wrong with it. */
function withCorrection(request: ModelRequest, { unreadable }: Failure): ModelRequest {
  if (unreadable === undefined || request.correction === undefined) return request;
  const text = request.correction(unreadable);
  return { ...request, messages: [...request.messages, { role: 'user', text }] };
}

/** Says once what a run found out about its endpoint. */
function tell({ options }: Endpoint, phrase: string): void {
  options.log(`Model endpoint: ${phrase}.`);
  options.onLearned?.(phrase);
}

function cancelled(signal: AbortSignal): PhotonError {
  return signal.reason instanceof PhotonError ? signal.reason : new PhotonError('CANCELLED');
}

function messageOf(failure: Failure, tries: number): string {
  const status = failure.status === null ? '' : `HTTP ${failure.status}: `;
  return `The model request failed${tries > 1 ? ` ${tries} times, the last time` : ''}: ${status}${failure.message}`;
}

/** Most facts that one request may teach. */
const maxLessons = 8;

type AttemptResult = { readonly turn: Turn } | { readonly failure: Failure };

/** Makes one request. An incomplete reply counts as a failure. */
async function attempt(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { options, state } = endpoint;
  const key = await options.apiKey();
  const wire = await wireNamed(state.facts.wire);
  const body =
    wire === null
      ? requestBody(request, options.model, state.facts)
      : wire.body(request, options.model, wireFacts(state.facts));
  state.ended = false;
  const idle = new AbortController();
  // a reply that does not stream sends nothing while it is written
  const idleMs = (options.idleTimeoutMs ?? 120_000) * (state.facts.stream ? 1 : 5);
  let timer = setTimeout(() => idle.abort(), idleMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), idleMs);
  };
  try {
    const client = await endpoint.load();
    client.apiKey = key || 'none'; // the SDK wants one
    const given = { signal: AbortSignal.any([signal, idle.signal]), stream: true as const, body };
    const stream = await client.post<AsyncIterable<unknown>>(pathOf(wire, options), {
      ...given,
      headers: { ...keyHeaders(options, key, state.facts.wire), ...options.extraHeaders },
    });
    const see = (event: unknown) => {
      alive();
      state.cuts.sawEvent(event);
    };
    const partial = await readReply(stream, see, { wire, plain: request.tools.length === 0 });
    // some proxies leave out finish_reason, though the stream came to its end
    if (state.ended && wire === null) partial.finish ??= 'stop';
    const bytes = JSON.stringify(body).length - (state.facts.images ? imageExcess(request) : 0);
    const turn = finishTurn(partial, bytes);
    if ('problem' in turn) return { failure: replyFailure(turn.problem, partial, key) };
    const cut = partial.usage && state.cuts.sawReply(bytes, partial.usage.inputTokens);
    if (cut) tell(endpoint, cut);
    return { turn };
  } catch (error) {
    const network = networkError(error);
    if (network !== null) throw network; // a second request would fail the same way
    return { failure: failureOf(error, idle.signal.aborted ? idleMs : null, key) };
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

/** What the text of the images adds to a body beyond the tokens that they cost. */
function imageExcess({ messages }: ModelRequest): number {
  return messages
    .flatMap(m => (m.role === 'user' ? (m.images?.list ?? []) : []))
    .reduce((sum, { base64 }) => sum + base64.length - bytesOfImage, 0);
}

interface ReplyForm {
  /** Null for chat completions. */
  readonly wire: Wire | null;
  readonly plain: boolean;
}

/** Reads a stream, or the single JSON body that some proxies send instead. */
async function readReply(
  stream: AsyncIterable<unknown>,
  see: (event: unknown) => void,
  { wire, plain }: ReplyForm,
) {
  const partial = emptyTurn(plain);
  for await (const event of stream) {
    see(event);
    if (isWhole(event))
      return wire === null
        ? fromCompletion(event as ChatCompletion, plain)
        : wire.fromWhole(event, plain);
    if (wire === null) addChunk(partial, event as ChatCompletionChunk);
    else wire.addEvent(partial, event);
    if (partial.problem !== null || partial.full) break;
  }
  return partial;
}

/** True for a whole reply: of chat completions, of the Responses API or of the Messages API. */
function isWhole(event: unknown): boolean {
  const { choices, object, type } = Object(event) as Record<string, unknown>;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const isCompletion = typeof first === 'object' && first !== null && 'message' in first;
  return isCompletion || object === 'response' || type === 'message';
}

/** The path of an API below the base URL, which may end with the `/v1` of the path. */
function pathOf(wire: Wire | null, { baseUrl }: ModelOptions): string {
  const path = wire?.path ?? '/chat/completions';
  return path.startsWith('/v1/') && /\/v1\/?$/.test(new URL(baseUrl).pathname)
    ? path.slice(3)
    : path;
}

/** A reply without a turn: the endpoint broke it off, with an error or without a word, or it is unusable. */
function replyFailure(
  problem: string,
  { endpointError }: Pick<PartialTurn, 'endpointError'>,
  apiKey: string,
): Failure {
  const { code = '', message = '' } = endpointError ?? {};
  const cause = [code, message].filter(Boolean).join(': ');
  return {
    status: statusOfCode(code),
    vendorCode: code,
    message:
      cause === '' ? problem : withoutKey(`the endpoint ended the reply with ${cause}`, apiKey),
    retryAfter: null,
    retryAfterMs: null,
    badReply: problem !== brokenOff,
  };
}

function withoutKey(text: string, apiKey: string): string {
  return text
    .replaceAll(apiKey === '' ? '\0' : apiKey, '***')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** Describes an error of the SDK in bounded text that never holds the key. */
function failureOf(error: unknown, idleMs: number | null, apiKey: string): Failure {
  const e = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const status = typeof e.status === 'number' ? e.status : null;
  const headers = e.headers instanceof Headers ? e.headers : null;
  const text = idleMs === null ? textOf(error) : `no data for ${idleMs / 1000} s`;
  const message = withoutKey(text, apiKey);
  return {
    // an error inside a stream has a name and no status
    status: status ?? (typeof e.code === 'string' ? statusOfCode(e.code) : null),
    vendorCode: typeof e.code === 'string' ? e.code : '',
    message,
    retryAfter: headers?.get('retry-after') ?? null,
    retryAfterMs: headers?.get('retry-after-ms') ?? null,
    badReply: error instanceof SyntaxError || e.code === 'tool_use_failed',
    unreadable: e.code === 'tool_use_failed' ? unreadableCall(e.error, message) : undefined,
  };
}

/** Groq: the model wrote a call that its endpoint could not read, and which it quotes as `failed_generation`. */
function unreadableCall(error: unknown, message: string): string {
  const quoted: unknown = Object(error).failed_generation;
  return typeof quoted === 'string' && quoted !== '' ? quoted.slice(0, 2_000) : message;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message.replace(/^\d{3} /, '')}${cause}`;
}
