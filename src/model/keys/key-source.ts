/** Gets a model key for the OIDC token of a job, so that no key needs to be stored, and renews it before it expires. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { networkError } from '../../process/network.ts';
import type { KeyExchangeSettings } from '../../settings/key-exchange.ts';
import { findExchange, type TokenRequest } from '../../settings/vendors.ts';

/** A key, and when it expires, in ms since the epoch; undefined if its issuer did not say. */
export interface IssuedKey {
  readonly key: string;
  readonly expiresAt: number | undefined;
}

/** Gives the key that is valid now. */
export type KeySource = () => Promise<string>;

export interface KeySourceOptions {
  /** Gets a new key. Throws PhotonError `KEY_EXCHANGE`. */
  readonly issue: () => Promise<IssuedKey>;
  readonly now: () => number;
  /** Called with each new key before anything can use it. */
  readonly arrived: (key: string) => void;
}

/** A key is renewed this long before it expires, or at half of its life if that is shorter. */
const marginMs = 300_000;

/**
 * Gets a key at the first call, and a new one when it is about to expire. If that fails, the old key is used as long
 * as it is valid, and each call tries again; after that, the failure is thrown.
 */
export function openKeySource({ issue, now, arrived }: KeySourceOptions): KeySource {
  let current: (IssuedKey & { readonly renewAt: number }) | undefined;
  let pending: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    const start = now();
    const issued = await issue();
    arrived(issued.key);
    const { expiresAt } = issued;
    const renewAt =
      expiresAt === undefined ? Infinity : expiresAt - Math.min(marginMs, (expiresAt - start) / 2);
    current = { ...issued, renewAt };
    return issued.key;
  };
  return async () => {
    const known = current;
    if (known !== undefined && now() < known.renewAt) return known.key;
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return pending.catch((error: unknown) => {
      if (known !== undefined && known.expiresAt !== undefined && now() < known.expiresAt)
        return known.key;
      throw error;
    });
  };
}

/** Where to request the id token of this job, and how to exchange it. */
export interface KeyExchange {
  /** `ACTIONS_ID_TOKEN_REQUEST_URL`; empty when the job has no `id-token: write`. */
  readonly idTokenUrl: string;
  /** `ACTIONS_ID_TOKEN_REQUEST_TOKEN`. */
  readonly idTokenBearer: string;
  readonly settings: KeyExchangeSettings;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const maxResponseBytes = 100_000;
const timeoutMs = 30_000;

/** A token that fits into a header. */
const tokenText = z.string().regex(/^[\x21-\x7e]{6,20000}$/);
const idTokenResponse = z.object({ value: tokenText });
const seconds = z.coerce.number().positive().max(1e9).optional().catch(undefined);
/** RFC 6749, section 5.1, or the answer of Google's `generateAccessToken`. */
const keyResponse = z.union([
  z.object({ access_token: tokenText, expires_in: seconds }),
  z.object({ accessToken: tokenText, expireTime: z.iso.datetime() }),
]);

/**
 * Gets a key. The id token is sent only to the token endpoint.
 * @throws PhotonError `KEY_EXCHANGE`; the message names the step that failed and never holds a token.
 */
export async function exchangeKey(exchange: KeyExchange): Promise<IssuedKey> {
  const { idTokenUrl, idTokenBearer, settings, signal, now } = exchange;
  if (idTokenUrl === '' || idTokenBearer === '')
    throw new PhotonError(
      'KEY_EXCHANGE',
      'The job has no id token. Add id-token: write to its permissions.',
    );
  const { ids, audience: named, url: other } = settings;
  const preset = findExchange(settings.name);
  const audience = named || preset.audience(ids);
  const start = now();
  const url = new URL(idTokenUrl);
  url.searchParams.set('audience', audience);
  const { value } = await request(signal, idTokenResponse, {
    step: 'Requesting the id token',
    url: url.href,
    init: { headers: { authorization: `Bearer ${idTokenBearer}` } },
  });
  const exchanging = async ({ url, ...rest }: TokenRequest): Promise<IssuedKey> => {
    const step = { step: 'Exchanging the id token', url, init: buildRequestInit(rest) };
    const reply = await request(signal, keyResponse, step);
    return 'accessToken' in reply
      ? { key: reply.accessToken, expiresAt: Date.parse(reply.expireTime) }
      : { key: reply.access_token, expiresAt: computeExpiry(reply.expires_in, start) };
  };
  const first = preset.request(value, ids, audience);
  const issued = await exchanging({ ...first, url: other || first.url });
  const second = preset.actAs?.(issued.key, ids);
  return second === undefined ? issued : exchanging(second);
}

function computeExpiry(lifetimeS: number | undefined, start: number): number | undefined {
  return lifetimeS === undefined ? undefined : start + lifetimeS * 1000;
}

function buildRequestInit({ headers, json, form }: Omit<TokenRequest, 'url'>): RequestInit {
  if (form !== undefined)
    return { method: 'POST', headers: { ...headers }, body: new URLSearchParams(form) };
  const type = { 'content-type': 'application/json' };
  return { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(json) };
}

interface TokenStep {
  /** What the request does, for the error message. */
  readonly step: string;
  readonly url: string;
  readonly init: RequestInit;
}

async function request<T>(signal: AbortSignal, schema: z.ZodType<T>, step: TokenStep): Promise<T> {
  const fail = (why: string, cause?: unknown) =>
    new PhotonError('KEY_EXCHANGE', `${step.step} failed: ${why}.`, { cause });
  const text = await fetchText(signal, step).catch((cause: unknown) => {
    if (signal.aborted && signal.reason instanceof PhotonError) throw signal.reason;
    throw (
      networkError(cause) ??
      fail(cause instanceof ExchangeError ? cause.message : 'no response', cause)
    );
  });
  const parsed = schema.safeParse(text.length > maxResponseBytes ? null : parseJson(text));
  if (!parsed.success) throw fail('the response holds no token');
  return parsed.data;
}

class ExchangeError extends Error {}

async function fetchText(signal: AbortSignal, { url, init }: TokenStep): Promise<string> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // a redirect could send the token to another host
  const response = await fetch(url, { ...init, redirect: 'error', signal: bounded });
  if (!response.ok) throw new ExchangeError(`HTTP ${response.status}${await readError(response)}`);
  return response.text();
}

/** The `error` of a refusal (RFC 6749, section 5.2): a word that holds no token, such as `invalid_grant`. */
async function readError(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  const { error } = (parseJson(text.slice(0, maxResponseBytes)) ?? {}) as { error?: unknown };
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : '';
}
