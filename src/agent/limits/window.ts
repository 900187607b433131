/** The context window: how many bytes of conversation one request may hold. Pure. */
import type { TooLong } from '../../model/too-long.ts';

/** Tokens that fit into one request and its reply together; undefined when nothing bounds them. */
export type Window = number | undefined;

/** Minimum tokens of a reply that make a request worthwhile. */
export const leastReply = 256;

/** Bytes of a token that an estimate assumes of text which no endpoint has counted yet. */
const bytesPerNewToken = 3;
/** A conversation that was made smaller may hold what is denser than the whole: part of its bytes that a token has. */
const shareWhenSmaller = 0.9;

/** Bytes and input tokens of the last request; 0 before the first. */
interface Counted {
  readonly lastBytes: number;
  readonly lastInputTokens: number;
}

/** Estimated tokens of a request: what the endpoint counted for the last one, and three bytes each for what is new. */
export function estimateTokens(bytes: number, counted: Counted): number {
  const { lastBytes, lastInputTokens } = counted;
  if (lastInputTokens <= 0) return Math.ceil(bytes / bytesPerNewToken);
  const ratio = getRatio(counted);
  if (bytes < lastBytes) return Math.ceil(bytes / (ratio * shareWhenSmaller));
  return Math.ceil(lastBytes / ratio + (bytes - lastBytes) / Math.min(bytesPerNewToken, ratio));
}

/** Bytes for each token that the endpoint counted; fewer than one would not be text. */
const getRatio = ({ lastBytes, lastInputTokens }: Counted) =>
  Math.max(1, lastBytes / lastInputTokens);

/** Bytes of a request that leave free for the reply: its limit, but at most a quarter of the window. */
export function requestBytes(window: Window, maxOutputTokens: number, counted: Counted): number {
  if (window === undefined) return Number.POSITIVE_INFINITY;
  const tokens = window - Math.min(maxOutputTokens, Math.floor(window / 4));
  const { lastBytes, lastInputTokens } = counted;
  if (lastInputTokens <= 0) return tokens * bytesPerNewToken;
  const ratio = getRatio(counted);
  const more = tokens - lastBytes / ratio;
  return more >= 0
    ? Math.floor(lastBytes + more * Math.min(bytesPerNewToken, ratio))
    : Math.floor(tokens * ratio * shareWhenSmaller);
}

/** Tokens that the window leaves for the reply to a request of this size. */
export function replyTokens(window: Window, bytes: number, counted: Counted): number {
  return window === undefined ? Number.POSITIVE_INFINITY : window - estimateTokens(bytes, counted);
}

/** True when a request of this size leaves free for a reply. */
export function fitsWindow(window: Window, bytes: number, counted: Counted): boolean {
  return replyTokens(window, bytes, counted) >= leastReply;
}

/** The request that was refused, in tokens. */
export interface RefusedRequest {
  /** The prompt and the limit of its reply. */
  readonly requested: number;
  /** The prompt of the last request that was answered; 0 before the first. */
  readonly accepted: number;
}

/**
 * The window after the endpoint refused a request as too long: the one that it names if that is news. Otherwise half of what
 * was known or requested, but not less than the prompt that it took before. A window that is known stays where the
 * refusal counts the prompt: the estimate was wrong, not the window.
 */
export function windowAfterRefusal(
  window: Window,
  { requested, accepted }: RefusedRequest,
  tooLong: TooLong,
): number {
  const known = window ?? Number.POSITIVE_INFINITY;
  if (tooLong.window !== undefined && tooLong.window < known) return tooLong.window;
  if (tooLong.window === known && tooLong.prompt !== undefined) return known;
  const half = Math.floor(Math.min(known, requested) / 2);
  return accepted < Math.min(known, requested) ? Math.max(half, accepted) : half;
}
