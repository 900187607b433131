/** Calls an OpenAI-compatible model endpoint through the openai SDK, with a bounded number of retries. */
import type { OpenAI } from 'openai/client';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { PhotonError } from '../codes.ts';
import { networkError } from '../process/network.ts';
import { headersOfKey } from './key-exchange/anthropic.ts';
import type { KeySource } from './key-exchange/key-source.ts';
import {
  addChunk,
  brokenOff,
  emptyTurn,
  finishTurn,
  fromCompletion,
  requestBody,
} from './native.ts';
import { decideRetry, type Failure } from './retry.ts';
import type { Model, ModelRequest, Turn } from './turn.ts';

export interface ModelClock {
  now(): number;
  random(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface ModelOptions {
  readonly baseUrl: string;
  /** The key that is valid now. */
  readonly apiKey: KeySource;
  readonly model: string;
  readonly clock: ModelClock;
  /** No request starts and no wait ends after this time, in ms since the epoch. */
  readonly deadline: number;
  /** Maximum time without a byte of the reply. */
  readonly idleTimeoutMs?: number;
  readonly log: (line: string) => void;
  /** Stands in for the `fetch` of the process. */
  readonly fetch?: typeof fetch;
}

const maxResponseBytes = 20 * 1024 * 1024;

/** Opens the endpoint; the SDK is loaded at the first request, or by `warmUp`. */
export function openModel(options: ModelOptions): Model & { warmUp(): void } {
  let client: Promise<OpenAI> | null = null;
  const load = () => {
    client ??= makeClient(options);
    return client;
  };
  const state = {
    tokenLimitKey: 'max_completion_tokens' as 'max_completion_tokens' | 'max_tokens',
  };
  return {
    name: options.model,
    warmUp: () => void load().catch(() => {}), // the first request reports the same error
    complete: (request, signal) => completeWithRetries({ options, load, state }, request, signal),
  };
}

interface Endpoint {
  readonly options: ModelOptions;
  readonly load: () => Promise<OpenAI>;
  readonly state: { tokenLimitKey: 'max_completion_tokens' | 'max_tokens' };
}

async function makeClient(options: ModelOptions): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai/client');
  return new Client({
    apiKey: '-', // each request sets its own
    baseURL: options.baseUrl,
    maxRetries: 0,
    timeout: Math.max(1000, options.deadline - options.clock.now()),
    logLevel: 'off',
    fetch: guardedFetch(options.fetch ?? fetch),
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
  });
}

/** Fetches without following redirects, which would send the key to another host, and bounds the body. */
function guardedFetch(send: typeof fetch): typeof fetch {
  return async (url, init) => bounded(await send(url, { ...init, redirect: 'manual' }));
}

async function bounded(response: Response): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const body = JSON.stringify({
      error: { message: 'the endpoint redirects; set base-url to its final address' },
    });
    return new Response(body, { status: 400, headers: { 'content-type': 'application/json' } });
  }
  if (response.body === null) return response;
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size > maxResponseBytes)
        controller.error(new Error(`the reply is larger than ${maxResponseBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}

async function completeWithRetries(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Turn> {
  const { clock, deadline, log } = endpoint.options;
  for (let failures = 0; ; ) {
    const result = await attempt(endpoint, request, signal);
    if ('turn' in result) return result.turn;
    if (signal.aborted) throw cancelled(signal);
    if (
      namesTokenLimit(result.failure) &&
      endpoint.state.tokenLimitKey === 'max_completion_tokens'
    ) {
      endpoint.state.tokenLimitKey = 'max_tokens';
      continue;
    }
    failures += 1;
    const now = clock.now();
    const decision = decideRetry(result.failure, {
      failures,
      now,
      remainingMs: deadline - now,
      schedule: request.retries,
      random: clock.random,
    });
    if ('giveUp' in decision)
      throw new PhotonError(decision.giveUp, messageOf(result.failure, failures));
    log(
      `Model request failed: ${result.failure.message}. Trying again in ${Math.round(decision.waitMs / 100) / 10} s.`,
    );
    await clock.sleep(decision.waitMs, signal);
    if (signal.aborted) throw cancelled(signal);
  }
}

function cancelled(signal: AbortSignal): PhotonError {
  return signal.reason instanceof PhotonError ? signal.reason : new PhotonError('CANCELLED');
}

function messageOf(failure: Failure, tries: number): string {
  const status = failure.status === null ? '' : `HTTP ${failure.status}: `;
  return `The model request failed${tries > 1 ? ` ${tries} times, the last time` : ''}: ${status}${failure.message}`;
}

function namesTokenLimit(failure: Failure): boolean {
  return failure.status === 400 && failure.message.includes('max_completion_tokens');
}

type AttemptResult = { readonly turn: Turn } | { readonly failure: Failure };

/** Makes one request. An incomplete reply counts as a failure. */
async function attempt(
  endpoint: Endpoint,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { options, state } = endpoint;
  const key = await options.apiKey();
  const body = requestBody(request, options.model, state.tokenLimitKey);
  const idle = new AbortController();
  const idleMs = options.idleTimeoutMs ?? 120_000;
  let timer = setTimeout(() => idle.abort(), idleMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), idleMs);
  };
  try {
    const client = await endpoint.load();
    client.apiKey = key;
    const stream = await client.chat.completions.create(body, {
      signal: AbortSignal.any([signal, idle.signal]),
      headers: headersOfKey(key),
    });
    const partial = await readReply(stream, alive, request.tools.length === 0);
    const turn = finishTurn(partial, JSON.stringify(body).length);
    return 'problem' in turn ? { failure: replyFailure(turn.problem) } : { turn };
  } catch (error) {
    const network = networkError(error);
    if (network !== null) throw network; // a second request would fail the same way
    return { failure: failureOf(error, idle.signal.aborted ? idleMs : null, key) };
  } finally {
    clearTimeout(timer);
    idle.abort();
  }
}

/** Reads a stream, or the single JSON body that some proxies send instead; the SDK then gives no iterator. */
async function readReply(
  stream: AsyncIterable<ChatCompletionChunk> | ChatCompletion,
  alive: () => void,
  plain: boolean,
) {
  if (!(Symbol.asyncIterator in stream)) return fromCompletion(stream, plain);
  const partial = emptyTurn(plain);
  for await (const chunk of stream) {
    alive();
    addChunk(partial, chunk);
    if (partial.problem !== null || partial.full) break;
  }
  return partial;
}

function replyFailure(problem: string): Failure {
  const cut = problem === brokenOff;
  return {
    status: null,
    vendorCode: '',
    message: problem,
    retryAfter: null,
    retryAfterMs: null,
    badReply: !cut,
  };
}

/** Describes an error of the SDK in bounded text that never holds the key. */
function failureOf(error: unknown, idleMs: number | null, apiKey: string): Failure {
  const e = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const status = typeof e.status === 'number' ? e.status : null;
  const headers = e.headers instanceof Headers ? e.headers : null;
  const text = idleMs === null ? textOf(error) : `no data for ${idleMs / 1000} s`;
  const message = text
    .replaceAll(apiKey === '' ? '\0' : apiKey, '***')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  return {
    status,
    vendorCode: typeof e.code === 'string' ? e.code : '',
    message,
    retryAfter: headers?.get('retry-after') ?? null,
    retryAfterMs: headers?.get('retry-after-ms') ?? null,
    badReply: error instanceof SyntaxError,
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message.replace(/^\d{3} /, '')}${cause}`;
}
