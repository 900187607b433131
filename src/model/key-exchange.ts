/** The model's key from an OIDC exchange (RFC 8693): the job proves who it is, and no key is stored. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';

/** Where a token of this job is asked for, and where it is exchanged. */
export interface KeyExchange {
  /** `ACTIONS_ID_TOKEN_REQUEST_URL`; empty when the job has no `id-token: write`. */
  readonly idTokenUrl: string;
  /** `ACTIONS_ID_TOKEN_REQUEST_TOKEN`. */
  readonly idTokenBearer: string;
  /** Token endpoint of the exchange. */
  readonly exchangeUrl: string;
  /** `aud` claim that the exchange expects. */
  readonly audience: string;
  readonly signal: AbortSignal;
}

const maxAnswerBytes = 100_000;
const timeoutMs = 30_000;

const idTokenAnswer = z.object({ value: z.string().min(1) });
const exchangeAnswer = z.object({ access_token: z.string().min(6).max(20_000) });

/**
 * Gets a key that lives as long as its issuer says. The id token goes to the exchange alone.
 * @throws PhotonError `KEY_EXCHANGE` saying which of the two steps failed; never with a token in it.
 */
export async function exchangeKey(exchange: KeyExchange): Promise<string> {
  if (exchange.idTokenUrl === '' || exchange.idTokenBearer === '')
    throw new PhotonError('KEY_EXCHANGE', 'The job has no id token.');
  const url = new URL(exchange.idTokenUrl);
  url.searchParams.set('audience', exchange.audience);
  const { value } = await ask(exchange.signal, idTokenAnswer, {
    step: 'the id token',
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
  const { access_token: key } = await ask(exchange.signal, exchangeAnswer, {
    step: 'the exchange',
    url: exchange.exchangeUrl,
    init: { method: 'POST', body: form },
  });
  return key;
}

interface Question {
  /** What is asked for, for the error. */
  readonly step: string;
  readonly url: string;
  readonly init: RequestInit;
}

async function ask<T>(signal: AbortSignal, schema: z.ZodType<T>, question: Question): Promise<T> {
  const fail = (why: string, cause?: unknown) =>
    new PhotonError('KEY_EXCHANGE', `${question.step}: ${why}.`, { cause });
  const text = await fetchText(signal, question).catch((cause: unknown) => {
    if (signal.aborted && signal.reason instanceof PhotonError) throw signal.reason;
    throw fail(cause instanceof Refused ? cause.message : 'no answer', cause);
  });
  const parsed = schema.safeParse(text.length > maxAnswerBytes ? null : parseJson(text));
  if (!parsed.success) throw fail('an answer without the token in it');
  return parsed.data;
}

class Refused extends Error {}

async function fetchText(signal: AbortSignal, { url, init }: Question): Promise<string> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // a redirect could carry the token elsewhere
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
