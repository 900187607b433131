/** What follows a failed request: wait and try again, or give up with a code and a hint. Pure. */
import type { Code } from '../base/codes.ts';
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
  readonly retryAfter: string | undefined;
  readonly retryAfterMs: string | undefined;
  /** True for a reply without text and calls. */
  readonly isEmpty?: boolean;
  /** True for a complete reply that is unusable. */
  readonly badReply: boolean;
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
const firstWaitMs = 500;
const maxWaitMs = 30_000;

/**
 * Tries again after 408, 409, 429, 5xx, a broken connection or a cut stream, up to five requests in
 * all (four with a fixed schedule). Waits with exponential backoff, or as long as the endpoint asks, but
 * never past the deadline. An unusable reply is requested once more.
 */
export function decideRetry(failure: Failure, attempt: Attempt): RetryDecision {
  const code = chooseCode(failure);
  if (failure.badReply) return attempt.failures < 2 ? { waitMs: 0 } : { giveUp: code };
  if (!isTransient(failure) || attempt.failures >= maxTries[attempt.schedule])
    return { giveUp: code };
  const named = namedWait(failure, attempt.now);
  const jitter = attempt.schedule === 'fixed' ? 0 : attempt.random() / 4;
  const backoff = Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt.failures - 1)) * (1 - jitter);
  const waitMs = Math.ceil(Math.max(named ?? 0, named === undefined ? backoff : 0));
  return waitMs >= attempt.remainingMs ? { giveUp: code } : { waitMs };
}

function isTransient(failure: Failure): boolean {
  const { status, vendorCode } = failure;
  // the same request is too long each time
  if (vendorCode === 'insufficient_quota' || readTooLong(failure) !== undefined) return false;
  return (
    status === undefined || status === 408 || status === 409 || status === 429 || status >= 500
  );
}

/** The code with which a run ends after this failure. */
export function chooseCode(failure: Failure): Code {
  const { status, vendorCode, badReply } = failure;
  if (badReply) return 'MODEL_OUTPUT';
  if (readTooLong(failure) !== undefined) return 'MODEL_CONTEXT';
  if (status === 404 || status === 410 || vendorCode === 'model_not_found')
    return 'MODEL_NOT_FOUND';
  if (status === 401 || status === 403) return 'MODEL_AUTH';
  if (status === 429) return 'MODEL_RATE_LIMIT';
  if (status === undefined || status === 408 || status === 409 || status >= 500)
    return 'MODEL_UNAVAILABLE';
  return 'MODEL_REQUEST';
}

/** The wait that the endpoint asks for, in milliseconds; undefined if it names none. */
function namedWait({ retryAfter, retryAfterMs }: Failure, now: number): number | undefined {
  const ms = Number.parseFloat(retryAfterMs ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  if (retryAfter === undefined) return undefined;
  const seconds = Number.parseFloat(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

type Case = readonly [matches: (failure: Failure) => boolean, hint: string];

const cases: readonly Case[] = [
  [
    ({ status, vendorCode, message }) =>
      status === 402 ||
      vendorCode === 'insufficient_quota' ||
      /billing|credit balance|out of credits|payment required/i.test(message),
    'The account of the key has no credit or quota left. Add some, or use the key of another account.',
  ],
  [
    ({ message }) => /filtered the reply|content.?filter/i.test(message),
    'The endpoint filtered the reply. Reword the task, or use an endpoint without that filter.',
  ],
  [
    ({ message }) => /token limit inside a tool call/.test(message),
    'The reply needed more tokens than the endpoint lets the model send. Raise its limit there, use a model with a larger output, or make the task smaller.',
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

/** The HTTP status that belongs to the name of an error, for errors inside a reply of status 200; undefined for another name. */
export function findStatus(code: string): number | undefined {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return statuses.find(([name]) => name.test(code))?.[1];
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient_quota/i, 429],
  [/authentication|invalid_api_key|unauthori[sz]ed/i, 401],
  [/permission|forbidden/i, 403],
  [/not_found/i, 404],
  [/invalid_request|invalid_prompt|context_length/i, 400],
  [/overloaded|server_error|api_error|unavailable|timeout/i, 503],
];
