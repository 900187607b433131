/** The context window: how many bytes of conversation one request may hold. Pure. */
import { windowInRefusal } from '../../model/retry.ts';
import { leastReply, type Spent } from './budget.ts';

/** Tokens that fit into one request and its reply together; undefined when nothing bounds them. */
export type Window = number | undefined;

/** Most bytes of a token that an estimate assumes. */
const maxBytesPerToken = 3;

/** Estimated tokens of a request: three bytes each, or fewer if the last request showed fewer. */
export function estimateTokens(bytes: number, spent: Spent): number {
  return Math.ceil(bytes / bytesPerToken(spent));
}

function bytesPerToken({ lastBytes, lastInputTokens }: Spent): number {
  if (lastInputTokens <= 0) return maxBytesPerToken;
  return Math.min(maxBytesPerToken, Math.max(1, lastBytes / lastInputTokens));
}

/** Bytes of a request that leave free for the reply: its limit, but at most a quarter of the window. */
export function requestBytes(window: Window, maxOutputTokens: number, spent: Spent): number {
  if (window === undefined) return Number.POSITIVE_INFINITY;
  const reply = Math.min(maxOutputTokens, Math.floor(window / 4));
  return Math.floor((window - reply) * bytesPerToken(spent));
}

/** Tokens that the window leaves for the reply to a request of this size. */
export function replyTokens(window: Window, bytes: number, spent: Spent): number {
  return window === undefined ? Number.POSITIVE_INFINITY : window - estimateTokens(bytes, spent);
}

/** True when a request of this size leaves free for a reply. */
export function fitsWindow(window: Window, bytes: number, spent: Spent): boolean {
  return replyTokens(window, bytes, spent) >= leastReply;
}

/**
 * The window after the endpoint refused a request as too long: the one that it names if that is news,
 * otherwise half of what was known, or half of the request and its reply.
 */
export function windowAfterRefusal(
  window: Window,
  requestedTokens: number,
  message: string,
): number {
  const named = windowInRefusal(message);
  const known = window ?? Number.POSITIVE_INFINITY;
  if (named !== undefined && named < known) return named;
  return Math.floor(Math.min(known, requestedTokens) / 2);
}
