/** What to do after a request that failed: wait and try again, or give up with a code. Pure. */
import type { Code } from '../codes.ts';

/** How a request failed. */
export interface Failure {
  /** HTTP status; null when there was none (connection, cut stream, bad reply). */
  readonly status: number | null;
  /** The vendor's own error code, when it gave one. */
  readonly vendorCode: string;
  readonly message: string;
  /** `retry-after` and `retry-after-ms` as they came. */
  readonly retryAfter: string | null;
  readonly retryAfterMs: string | null;
  /** True for a whole reply that cannot be used. */
  readonly badReply: boolean;
}

export interface Attempt {
  /** How many requests have failed, this one included. */
  readonly failures: number;
  readonly remainingMs: number;
  readonly now: number;
  /** In [0, 1). */
  readonly random: number;
}

export type RetryDecision = { readonly waitMs: number } | { readonly giveUp: Code };

const maxTries = 5;
const firstWaitMs = 500;
const longestWaitMs = 30_000;

/**
 * 408, 409, 429, 5xx, broken connections and cut streams are tried again, up to five requests in
 * all, with exponential backoff and jitter, never before the time the endpoint names, and never
 * when the wait would pass the deadline. A bad reply is asked for once more.
 */
export function decideRetry(failure: Failure, attempt: Attempt): RetryDecision {
  const code = codeOf(failure);
  if (failure.badReply) return attempt.failures < 2 ? { waitMs: 0 } : { giveUp: code };
  if (!isTransient(failure) || attempt.failures >= maxTries) return { giveUp: code };
  const named = namedWait(failure, attempt.now);
  const backoff =
    Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt.failures - 1)) * (1 - attempt.random / 4);
  const waitMs = Math.ceil(Math.max(named ?? 0, named === null ? backoff : 0));
  return waitMs >= attempt.remainingMs ? { giveUp: code } : { waitMs };
}

function isTransient({ status, vendorCode }: Failure): boolean {
  if (vendorCode === 'insufficient_quota') return false;
  return status === null || status === 408 || status === 409 || status === 429 || status >= 500;
}

const contextWords =
  /context.?length|context window|maximum context|too many tokens|prompt is too long|input is too long/i;

/** The code that a failure ends the run with. */
export function codeOf({ status, vendorCode, message, badReply }: Failure): Code {
  if (badReply) return 'MODEL_OUTPUT';
  if (
    vendorCode === 'context_length_exceeded' ||
    (status !== null && status < 500 && contextWords.test(message))
  )
    return 'MODEL_CONTEXT';
  if (status === 401 || status === 403) return 'MODEL_AUTH';
  if (status === 429) return 'MODEL_RATE_LIMIT';
  if (status === null || status === 408 || status === 409 || status >= 500)
    return 'MODEL_UNAVAILABLE';
  return 'MODEL_REQUEST';
}

/** The wait that the endpoint asks for, in milliseconds, or null. */
function namedWait({ retryAfter, retryAfterMs }: Failure, now: number): number | null {
  const ms = Number.parseFloat(retryAfterMs ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  if (retryAfter === null) return null;
  const seconds = Number.parseFloat(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
