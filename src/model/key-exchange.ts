/** Gets the model key from an OIDC token exchange (RFC 8693), so that no key needs to be stored. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';

/** Where to request the id token of this job, and where to exchange it. */
export interface KeyExchange {
  /** `ACTIONS_ID_TOKEN_REQUEST_URL`; empty when the job has no `id-token: write`. */
  readonly idTokenUrl: string;
  /** `ACTIONS_ID_TOKEN_REQUEST_TOKEN`. */
  readonly idTokenBearer: string;
  /** Token endpoint of the exchange. */
  readonly exchangeUrl: string;
  /** The `aud` claim that the exchange expects. */
  readonly audience: string;
  readonly signal: AbortSignal;
}

const maxResponseBytes = 100_000;
const timeoutMs = 30_000;

const idTokenResponse = z.object({ value: z.string().min(1) });
const exchangeResponse = z.object({ access_token: z.string().min(6).max(20_000) });

/**
 * Gets a key. Its issuer decides how long it is valid. The id token is sent only to the exchange.
 * @throws PhotonError `KEY_EXCHANGE`; the message names the step that failed and never holds a token.
 */
export async function exchangeKey(exchange: KeyExchange): Promise<string> {
  if (exchange.idTokenUrl === '' || exchange.idTokenBearer === '')
    throw new PhotonError(
      'KEY_EXCHANGE',
      'The job has no id token. Add id-token: write to its permissions.',
    );
  const url = new URL(exchange.idTokenUrl);
  url.searchParams.set('audience', exchange.audience);
  const { value } = await request(exchange.signal, idTokenResponse, {
    step: 'Requesting the id token',
    url: url.href,
    init: { headers: { authorization: `Bearer ${exchange.idTokenBearer}` } },
  });
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: value,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: exchange.audience,
  });
  const { access_token: key } = await request(exchange.signal, exchangeResponse, {
    step: 'Exchanging the id token',
    url: exchange.exchangeUrl,
    init: { method: 'POST', body: form },
  });
  return key;
}

interface TokenRequest {
  /** What the request does, for the error message. */
  readonly step: string;
  readonly url: string;
  readonly init: RequestInit;
}

async function request<T>(
  signal: AbortSignal,
  schema: z.ZodType<T>,
  step: TokenRequest,
): Promise<T> {
  const fail = (why: string, cause?: unknown) =>
    new PhotonError('KEY_EXCHANGE', `${step.step} failed: ${why}.`, { cause });
  const text = await fetchText(signal, step).catch((cause: unknown) => {
    if (signal.aborted && signal.reason instanceof PhotonError) throw signal.reason;
    throw fail(cause instanceof Refused ? cause.message : 'no response', cause);
  });
  const parsed = schema.safeParse(text.length > maxResponseBytes ? null : parseJson(text));
  if (!parsed.success) throw fail('the response holds no token');
  return parsed.data;
}

class Refused extends Error {}

async function fetchText(signal: AbortSignal, { url, init }: TokenRequest): Promise<string> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // a redirect could send the token to another host
  const response = await fetch(url, { ...init, redirect: 'error', signal: bounded });
  if (!response.ok) throw new Refused(`HTTP ${response.status}`);
  return response.text();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
