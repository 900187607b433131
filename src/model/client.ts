/** Calls an OpenAI-compatible model endpoint through the openai SDK, with a bounded number of retries. */
import { OpenAI } from 'openai/client';
import { type Code, PhotonError } from '../base/codes.ts';
import { asObject } from '../base/schema-issue.ts';
import { networkError } from '../process/network.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import type { Api, EndpointFacts, JsonObject } from './apis/api.ts';
import { apis } from './apis/index.ts';
import {
  countPiece,
  countUsage,
  emptyTurn,
  endWithError,
  finishTurn,
  noData,
  type PartialTurn,
} from './apis/partial-turn.ts';
import { textIn } from './apis/parts.ts';
import { makeRequestBody } from './apis/request-body.ts';
import {
  type EndpointChoice,
  learnFrom,
  NoToolsError,
  startFacts,
  toolsMissing,
} from './endpoint-facts.ts';
import {
  asError,
  describeFailure,
  findCause,
  formatMessage,
  isPage,
  pageCode,
  quoteEvent,
  replyFailure,
} from './failures.ts';
import type { KeySource } from './keys/key-source.ts';
import { decideRetry, type Failure, findHint, RefusedError } from './retry.ts';
import { type CutWatch, watchCuts } from './silent-cut.ts';
import { readTooLong, TooLongError } from './too-long.ts';
import { bytesOfImage, type Model, type ModelRequest, type TokenUsage, type Turn } from './turn.ts';

export interface ModelOptions extends EndpointChoice {
  /** The key that is valid now. */
  readonly apiKey: KeySource;
  readonly clock: TimeLimit['clock'];
  /** No request starts and no wait ends after this time, in ms since the epoch. */
  readonly deadline: number;
  /** Maximum time without a part of the reply; longer before the first one, and while comments come. */
  readonly idleTimeoutMs?: number;
  readonly log: (line: string) => void;
  /** Headers that a person added to each request. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Told once of each thing that a refusal or a reply taught about the endpoint, as a phrase. */
  readonly onLearned?: (phrase: string) => void;
  /** Stands in for the `fetch` of the process. */
  readonly fetch?: typeof fetch;
}

const maxResponseBytes = 20 * 1024 * 1024;

/** Opens the endpoint. */
export function openModel(options: ModelOptions): Model {
  const state = {
    facts: startFacts(options),
    ended: false,
    tail: '',
    hear: () => {},
    cuts: watchCuts(),
    moved: false,
  };
  const endpoint = { options, client: makeClient(options, state), state };
  return {
    name: options.model,
    complete: (request, signal) => completeWithRetries(endpoint, request, signal),
  };
}

interface Endpoint {
  readonly options: ModelOptions;
  readonly client: OpenAI;
  readonly state: {
    facts: EndpointFacts;
    /** True once the body of a stream held its end mark, which the SDK keeps to itself. */
    ended: boolean;
    /** The end of the last body, one character for each byte. */
    tail: string;
    /** Called with each byte of a body, those of comments included, which the SDK keeps to itself, too. */
    hear: () => void;
    readonly cuts: CutWatch;
    /** True once the API was looked for below the address. */
    moved: boolean;
  };
}

function makeClient(options: ModelOptions, state: Endpoint['state']): OpenAI {
  return new OpenAI({
    apiKey: 'none', // each request sets its own; the SDK wants one
    ...splitAddress(options),
    maxRetries: 0,
    timeout: Math.max(1000, options.deadline - options.clock.now()),
    logLevel: 'off',
    fetch: guardedFetch(options.fetch ?? fetch, state),
    // without these, the SDK reads them from the environment
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
  });
}

/** A JSON reply as the stream that was asked for: the SDK reads no other reply to such a request. */
function asEvents(text: string): string {
  return `data: ${text.replace(/[\r\n]+/g, ' ')}\n\ndata: [DONE]\n\n`;
}

/** The SDK takes a query apart from the address; Azure's classic addresses carry `api-version`. */
function splitAddress({ baseUrl }: ModelOptions) {
  const url = new URL(baseUrl);
  const defaultQuery = Object.fromEntries(url.searchParams);
  url.search = '';
  return { baseURL: url.href.replace(/\/$/, ''), defaultQuery };
}

/** Fetches without following redirects, which would send the key to another host, and bounds the body. */
function guardedFetch(send: typeof fetch, state: Endpoint['state']): typeof fetch {
  return async (url, init) =>
    boundResponse(await send(url, { ...init, redirect: 'manual' }), state);
}

async function boundResponse(response: Response, state: Endpoint['state']): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const text = `the endpoint redirects${findTarget(response)}; set base-url to its final address`;
    return asError(response, { status: 400, text });
  }
  if (response.body === null) return response;
  let size = 0;
  state.tail = '';
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      state.hear();
      size += chunk.byteLength;
      state.tail = (state.tail + Buffer.from(chunk).toString('latin1')).slice(-maxTail);
      if (/data: ?\[DONE\]/.test(state.tail.slice(-20))) state.ended = true;
      if (size > maxResponseBytes)
        controller.error(new Error(`the reply is larger than ${maxResponseBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(bound);
  if (!response.ok) return asError(response, { status, text: await new Response(body).text() });
  // gateways name a wrong type, or none: how a body begins tells what it is
  const [ahead, whole] = body.tee();
  const reader = ahead.getReader();
  const { value } = await reader.read();
  reader.cancel().catch(() => undefined); // fails with the body, whose other reader says so
  if (!/^\s*[{[<]/.test(Buffer.from(value ?? []).toString('utf8')))
    return new Response(whole, { status, statusText, headers });
  const text = await new Response(whole).text();
  if (isPage(text)) return asError(response, { status: 400, text, named: pageCode });
  const [type, sent] = state.facts.stream
    ? ['text/event-stream', asEvents(text)]
    : ['application/json', text];
  return new Response(sent, { headers: { 'content-type': type } });
}

/** Where a redirect leads, without its query, which may hold a secret. */
function findTarget({ headers, url }: Response): string {
  const location = headers.get('location') ?? '';
  if (!URL.canParse(location, url || undefined)) return '';
  const { origin, pathname } = new URL(location, url || undefined);
  return ` to ${origin}${pathname}`;
}

async function completeWithRetries(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Turn> {
  const { clock, deadline, log } = endpoint.options;
  let lessons = 0;
  let sent = request;
  let raise = 1;
  for (let failures = 0; ; ) {
    const maxOutputTokens = request.bill?.allow(raise) ?? request.maxOutputTokens * raise;
    const result = await attempt(endpoint, { ...sent, maxOutputTokens }, signal);
    if ('turn' in result) return result.turn;
    if (result.spent !== undefined) request.bill?.discard(result.spent, endpoint.options.model);
    if (signal.aborted) throw cancelError(signal);
    if (moveBelowV1(endpoint, result.failure)) continue;
    const learned = learnFrom(result.failure, endpoint.state.facts, result.body);
    if (learned !== undefined && lessons < maxLessons) {
      lessons += 1;
      endpoint.state.facts = learned.facts;
      tell(endpoint, learned.phrase);
      continue;
    }
    const noTools = toolsMissing(result.failure);
    if (noTools !== undefined) throw new NoToolsError(noTools);
    failures += 1;
    if (result.failure.ranOut === true && raise === 1) {
      raise = 4;
      tell(endpoint, `a reply ended inside its thinking, so it may have ${raise} times the tokens`);
    }
    sent = withCorrection(request, result.failure);
    const now = clock.now();
    const decision = decideRetry(result.failure, {
      failures,
      now,
      remainingMs: deadline - now,
      schedule: request.retries,
      random: clock.random,
    });
    if ('giveUp' in decision) throw makeError(result.failure, failures, decision.giveUp);
    log(
      `Model request failed: ${result.failure.message}. Trying again in ${Math.round(decision.waitMs / 100) / 10} s.`,
    );
    await clock.sleep(decision.waitMs, signal);
    if (signal.aborted) throw cancelError(signal);
  }
}

/** The error for a failure that no further request cures. An empty reply may be what a server makes of a long prompt. */
function makeError(failure: Failure, failures: number, code: Code): PhotonError {
  const message = formatMessage(failure, failures);
  const tooLong = readTooLong(failure);
  if (failure.isEmpty === true) return new TooLongError(message, {}, code);
  if (tooLong !== undefined && code === 'MODEL_CONTEXT') return new TooLongError(message, tooLong);
  const Failed = failure.refused === true ? RefusedError : PhotonError;
  return new Failed(code, message, { hint: findHint(failure) });
}

/** The path under which most servers have their API. */
const usualPath = '/v1';

/** Tries the usual path once, below an address without one that answers 404. True if the request is to be made again. */
function moveBelowV1(endpoint: Endpoint, { status }: Failure): boolean {
  const { client, state } = endpoint;
  const isBare = new URL(client.baseURL).pathname === '/';
  const isOver = state.moved || (status !== 404 && status !== 405);
  if (!isBare || isOver || state.facts.api === 'messages') return false;
  client.baseURL = `${client.baseURL.replace(/\/$/, '')}${usualPath}`;
  state.moved = true;
  tell(endpoint, `base-url has no API (HTTP ${status}), so it is looked for at ${client.baseURL}`);
  return true;
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

function cancelError(signal: AbortSignal): PhotonError {
  return signal.reason instanceof PhotonError ? signal.reason : new PhotonError('CANCELLED');
}

/** Most facts that one request may teach. */
const maxLessons = 8;

/** How many pauses a reply may be late while its endpoint sends comments, which say that it is queued. */
const pausesOfComments = 10;

/** A request without a usable reply. */
interface Failed {
  readonly failure: Failure;
  readonly body: JsonObject;
  /** What a reply cost that had begun. */
  readonly spent: TokenUsage | undefined;
}

/** Makes one request. An incomplete reply counts as a failure. */
async function attempt(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly turn: Turn } | Failed> {
  const { options, client, state } = endpoint;
  const key = await options.apiKey();
  const api = apis[state.facts.api];
  const body = makeRequestBody(request, options.model, state.facts);
  const countBytes = () =>
    JSON.stringify(body).length - (state.facts.images ? imageExcess(request) : 0);
  const partial = emptyTurn(request.tools.length === 0);
  let hasData = false;
  const fail = (failure: Failure): Failed => {
    return { failure, body, spent: hasData ? countUsage(partial, countBytes()) : undefined };
  };
  state.ended = false;
  const idle = new AbortController();
  const pauseMs = options.idleTimeoutMs ?? 120_000;
  let idleMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    clearTimeout(timer);
    idleMs = ms;
    timer = setTimeout(() => idle.abort(), ms);
  };
  let lastData = options.clock.now();
  state.hear = () => {
    const { clock } = options;
    if (clock.now() - lastData < pauseMs * pausesOfComments) wait(idleMs);
  };
  // a reply that does not stream sends nothing while it is written, and many models think before the first byte
  wait(pauseMs * (state.facts.stream ? 3 : 5));
  try {
    client.apiKey = key || 'none';
    const reply = await api.send(client, body, {
      signal: AbortSignal.any([signal, idle.signal]),
      headers: { ...api.headers(key, options.baseUrl), ...options.extraHeaders },
    });
    const see = (event: unknown) => {
      wait(pauseMs);
      lastData = options.clock.now();
      hasData = true;
      countPiece(partial, event);
      state.cuts.sawEvent(event);
    };
    await readReply(reply, see, { api, partial });
    if (!hasData && !state.ended) partial.problem = noData;
    else api.endStream?.(partial, state.ended);
    const bytes = countBytes();
    const turn = finishTurn(partial, bytes);
    if ('problem' in turn) return fail(replyFailure(turn.problem, partial, key));
    if (partial.hidesThinking) showThinking(endpoint);
    const { messages } = request;
    const cut = partial.usage && state.cuts.sawReply({ bytes, messages }, partial.usage);
    if (!cut) return { turn };
    tell(endpoint, cut.phrase);
    return { turn: { ...turn, cutAt: cut.window } };
  } catch (error) {
    const network = networkError(error);
    if (network !== undefined) throw network; // a second request would fail the same way
    const waitedMs = Math.max(idleMs, options.clock.now() - lastData);
    const quoted = error instanceof SyntaxError ? quoteEvent(error, state.tail) : error;
    return fail(describeFailure(quoted, idle.signal.aborted ? waitedMs : undefined, key));
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

/** Most characters of the end of a body that are kept to quote. */
const maxTail = 500;

/** Models of Claude from 4.7 on leave the text of their thinking empty, unless a request asks for a summary. */
function showThinking(endpoint: Endpoint): void {
  const { state } = endpoint;
  if (state.facts.showsThinking || state.facts.refused.has('thinking')) return;
  state.facts = { ...state.facts, showsThinking: true };
  tell(endpoint, 'the text of its thinking is empty until a summary is asked for');
}

/** What the text of the images adds to a body beyond the tokens that they cost. */
function imageExcess({ messages }: ModelRequest): number {
  return messages
    .flatMap(m => (m.role === 'user' ? (m.images?.list ?? []) : []))
    .reduce((sum, { base64 }) => sum + base64.length - bytesOfImage, 0);
}

/** Reads the events of a stream, or a whole reply, which some proxies send as the one event of a stream, into a turn. */
async function readReply(
  reply: unknown,
  see: (event: unknown) => void,
  { api, partial }: { readonly api: Api; readonly partial: PartialTurn },
): Promise<void> {
  for await (const event of isStream(reply) ? reply : [reply]) {
    see(event);
    const whole = asObject(event);
    if (api.isWhole(whole)) {
      // it stands for all that came before it
      Object.assign(partial, emptyTurn(partial.plain));
      api.addWhole(partial, whole);
      return;
    }
    // the other APIs name the type of each event, and read their errors themselves
    const isOwn = isStream(reply) && textIn(whole.type) !== '' && whole.object !== 'error';
    const cause = isOwn ? undefined : findCause(event);
    if (cause !== undefined) endWithError(partial, cause.code, cause.message);
    else if (isStream(reply)) api.addEvent(partial, event);
    else partial.problem = 'the reply has none of the forms that the API documents';
    const isLast = api.lastEvent?.test(textIn(whole.type)) === true;
    if (isLast || partial.problem !== null || partial.full) break;
  }
}

const isStream = (reply: unknown): reply is AsyncIterable<unknown> =>
  Symbol.asyncIterator in Object(reply);
