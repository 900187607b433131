/** What follows a failed request: wait and try again, or give up with a code and a hint. Pure. */
import { type Code, PhotonError } from '../base/codes.ts';
import { readTooLong } from './too-long.ts';

/** How a request failed. */
export interface Failure {
  /** HTTP status; undefined for a broken connection, a cut stream or an unusable reply. */
  readonly status: number | undefined;
  /** The vendor's own error code; empty if it sent none. */
  readonly vendorCode: string;
  /** The field that the endpoint names as the cause; empty if it names none. */
  readonly param?: string;
  readonly message: string;
  /** The headers `retry-after` and `retry-after-ms`. */
  readonly retryAfter?: string | undefined;
  readonly retryAfterMs?: string | undefined;
  /** When a limit that is used up begins anew, as the headers or the body say it: `6m0s`, a date, or seconds since the epoch. */
  readonly resets?: readonly string[];
  /** True for a reply without text and calls. */
  readonly isEmpty?: boolean;
  /** True for one whose tokens all went into its thinking. */
  readonly ranOut?: boolean;
  /** True for a complete reply that is unusable. */
  readonly badReply: boolean;
  /** True where the model, or a filter of its endpoint, refused to answer: another model may. */
  readonly refused?: boolean | undefined;
  /** A call of the model that the endpoint could not read, as it quotes it. It goes to the model alone. */
  readonly unreadable?: string;
}

export interface Attempt {
  /** Number of failed requests, including this one. */
  readonly failures: number;
  readonly remainingMs: number;
  readonly now: number;
  readonly schedule: RetrySchedule;
  /** A number in [0, 1); asked by a jittered schedule alone. */
  readonly random: () => number;
}

/** How the waits between requests are made. `fixed`: the same failures give the same waits. */
export type RetrySchedule = 'jittered' | 'fixed';

export type RetryDecision = { readonly waitMs: number } | { readonly giveUp: Code };

/** Requests in all. */
const maxTries: Readonly<Record<RetrySchedule, number>> = { jittered: 5, fixed: 4 };
/** Requests in all to an endpoint that is busy or loads its model: with the longest waits, two minutes. */
const triesOfBusy = 10;
const firstWaitMs = 500;
const maxWaitMs = 30_000;

/**
 * Tries again after 408, 409, 429, 499, 5xx, a broken connection or a cut stream, up to five requests in
 * all (four with a fixed schedule), and ten where the endpoint is busy. Waits with exponential backoff, or as long as the
 * endpoint asks, but never past the deadline. An unusable reply is requested once more.
 */
export function decideRetry(failure: Failure, attempt: Attempt): RetryDecision {
  const code = chooseCode(failure);
  // a model that learns what is wrong with its call may write it better
  const maxReplies = failure.unreadable === undefined ? 2 : maxTries[attempt.schedule];
  if (failure.badReply) return attempt.failures < maxReplies ? { waitMs: 0 } : { giveUp: code };
  const most = chooseTries(failure, attempt.schedule);
  if (!isTransient(failure) || attempt.failures >= most) return { giveUp: code };
  const named = namedWait(failure, attempt.now);
  const jitter = attempt.schedule === 'fixed' ? 0 : attempt.random() / 4;
  const backoff = Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt.failures - 1)) * (1 - jitter);
  // "now" of a server that is still busy is no wait
  const waitMs = Math.ceil(named || backoff);
  return waitMs >= attempt.remainingMs ? { giveUp: code } : { waitMs };
}

function chooseTries(failure: Failure, schedule: RetrySchedule): number {
  if (isNobodyThere(failure)) return triesOfNobody;
  return schedule === 'jittered' && isBusy(failure) ? triesOfBusy : maxTries[schedule];
}

/** Anthropic: 529; llama.cpp: 503 "Loading model"; Hugging Face: 503 with `estimated_time`. */
const isBusy = ({ status }: Failure) => status === 429 || status === 503 || status === 529;

/** Requests in all where nothing listens: a server that just starts may need a moment. */
const triesOfNobody = 3;

const isNobodyThere = ({ vendorCode }: Failure) => vendorCode === 'ECONNREFUSED';

/** Codes of a connection that fails the same way each time: no such host, and TLS to a server without it. */
const hopeless = /^(?:ENOTFOUND|EBADPORT|EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_INVALID_URL)$/;

/** Words and codes for an account that has nothing left, in any of the forms that vendors give them. */
const spent = /insufficient[_ -]?(?:balance|quota|credits?|funds)|out of credits|余额不足|欠费/i;
const unpaid =
  /exceeded_current_quota|billing|credit balance|payment required|no resource package/i;
const saysNoCredit = (text: string) => spent.test(text) || unpaid.test(text);

function hasNoCredit({ status, vendorCode, message }: Failure): boolean {
  return status === 402 || saysNoCredit(vendorCode) || saysNoCredit(message);
}

function isTransient(failure: Failure): boolean {
  const { status, vendorCode } = failure;
  // the same request is too long each time
  if (readTooLong(failure) !== undefined) return false;
  if (hasNoCredit(failure) || hopeless.test(vendorCode)) return false;
  if (status === 501 || status === 505) return false; // what a server does not have
  return status === undefined || transient.has(status) || status >= 500;
}

/** The code with which a run ends after this failure. Some gateways answer 400 for a wrong key and an unknown model. */
function chooseCode(failure: Failure): Code {
  const { vendorCode, badReply, message } = failure;
  const status = failure.status === 400 ? (findWords(message) ?? 400) : failure.status;
  if (badReply) return 'MODEL_OUTPUT';
  if (readTooLong(failure) !== undefined) return 'MODEL_CONTEXT';
  if (status === 404 || status === 410 || vendorCode === 'model_not_found')
    return 'MODEL_NOT_FOUND';
  if (status === 401 || status === 403) return 'MODEL_AUTH';
  if (status === 429) return 'MODEL_RATE_LIMIT';
  if (status === undefined || transient.has(status) || status >= 500) return 'MODEL_UNAVAILABLE';
  return 'MODEL_REQUEST';
}

/** Statuses below 500 of a trouble that passes; gateways answer 499 where a connection of theirs was closed. */
const transient: ReadonlySet<number> = new Set([408, 409, 429, 499]);

/** The wait that the endpoint asks for, by a header or in words, in milliseconds; undefined if it names none. */
function namedWait(failure: Failure, now: number): number | undefined {
  const { retryAfter, retryAfterMs, resets = [], message } = failure;
  const ms = Number.parseFloat(retryAfterMs ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  if (retryAfter !== undefined) return readWait(retryAfter, now);
  const waits = resets.flatMap(text => readWait(text, now) ?? []);
  return waits.length > 0 ? Math.max(...waits) : waitInWords(message);
}

/** Milliseconds of a span (`20`, `6m0s`), or until a point in time (a date, seconds or milliseconds since the epoch). */
function readWait(text: string, now: number): number | undefined {
  if (/[a-z]$/i.test(text) && /^\d/.test(text) && !text.includes(':')) return readSpan(text);
  const number = Number(text);
  const date = Number.isFinite(number) ? asDate(number) : Date.parse(text);
  if (date === undefined) return Math.max(0, number * 1000);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function asDate(number: number): number | undefined {
  if (number > 1e12) return number;
  return number > 1e9 ? number * 1000 : undefined;
}

/** Milliseconds of the units in which vendors name a wait. */
const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** "Please try again in 7m12.5s" (Groq), "Please retry in 25.3s" (Gemini), "try again in 3 hours". */
export function waitInWords(message: string): number | undefined {
  const [, span = ''] =
    /(?:try again|retry|wait) (?:in |after |for )?(\d[^,;()]{0,60})/i.exec(message) ?? [];
  const [sentence = ''] = span.split(/\. /);
  return readSpan(sentence);
}

/** Milliseconds of `7m12.5s` or "3 hours"; undefined without a number. */
function readSpan(sentence: string): number | undefined {
  const parts = [...sentence.matchAll(oneSpan)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, number = '0', unit = 's']) => {
    const name = /^m(?:s|illi)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
    return sum + Number(number) * (units[name] ?? 0);
  }, 0);
}

const oneSpan =
  /(\d[\d.]{0,12}) ?(ms|s|secs?|(?:milli)?seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/gi;

/** Words by which the hint for a web page is found. */
export const webPage = 'a web page in place of an API';

type Case = readonly [matches: (failure: Failure) => boolean, hint: string];

const cases: readonly Case[] = [
  [
    hasNoCredit,
    'The account of the key has no credit or quota left. Add some, or use the key of another account.',
  ],
  [
    ({ refused, message }) => refused === true || /filtered the reply/.test(message),
    'The model or a filter of its endpoint refused to answer. Reword the task, or name another model in model.fallbacks, which takes over then.',
  ],
  [
    ({ message }) => /token limit inside a tool call/.test(message),
    'The reply needed more tokens than the endpoint lets the model send. Raise its limit there, use a model with a larger output, or make the task smaller.',
  ],
  [
    ({ message }) => message.includes(webPage),
    'Set base-url to the address of the API, which often ends with /v1. If the page asks you to sign in, a proxy or VPN of your organisation stands before the endpoint.',
  ],
  [
    isNobodyThere,
    'Nothing listens at base-url: is the server running, and is this its port? A job in a container does not reach the localhost of its host.',
  ],
  [
    ({ vendorCode }) => vendorCode === 'ENOTFOUND' || vendorCode === 'EBADPORT',
    'There is no such host, or no program may use that port. Correct base-url.',
  ],
  [
    ({ vendorCode }) => hopeless.test(vendorCode),
    'The server does not speak TLS there. If it is a local one, begin base-url with http://.',
  ],
  [
    ({ status }) => (status ?? 0) >= 500,
    'The endpoint answered with the error in the message. Try again later, or name a model that takes over in model.fallbacks.',
  ],
];

/** The hint for what the endpoint named; undefined where the hint of the code says all. */
export function findHint(failure: Failure): string | undefined {
  return cases.find(([matches]) => matches(failure))?.[1];
}

/** The model, or a filter of its endpoint, refused to answer. */
export class RefusedError extends PhotonError {}

/** The HTTP status that belongs to the name of an error, for errors inside a reply of status 200; undefined for another name. */
export function findStatus(code: string): number | undefined {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return statuses.find(([name]) => name.test(code))?.[1];
}

/** The HTTP status that belongs to an error inside a reply of status 200: by its code, or else by its words. */
export function findCauseStatus(code: string, message: string): number | undefined {
  if (saysNoCredit(code) || saysNoCredit(message)) return code === 'insufficient_quota' ? 429 : 402;
  return findStatus(code) ?? findWords(message);
}

const findWords = (message: string) => words.find(([pattern]) => pattern.test(message))?.[1];

const words: readonly (readonly [RegExp, number])[] = [
  [/(?:invalid|incorrect|wrong|missing|no) (?:api[ _-]?)?(?:key|token|credential)/i, 401],
  [/unauthori[sz]ed|not authenticated/i, 401],
  [/rate.?limit|too many requests/i, 429],
  [/unexpected endpoint|no such model/i, 404],
  [
    /(?:model|deployment|route|page|endpoint).{0,60}(?:not found|does not exist|is not available)/i,
    404,
  ],
  [/overloaded|try again later|temporarily unavailable/i, 503],
];

const statuses: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient_quota/i, 429],
  [/authentication|invalid_api_key|unauthori[sz]ed/i, 401],
  [/permission|forbidden/i, 403],
  [/not_found/i, 404],
  [/invalid_request|invalid_prompt|context_length/i, 400],
  [/overloaded|server_error|api_error|unavailable|timeout/i, 503],
];
