/** When requests to GitHub end: each try by its own time, all of them by the run's. */
import { PhotonError } from '../../codes.ts';
import type { GitHub, GitHubOptions, Octokit } from './github.ts';

/** GitHub itself ends a request after ten seconds; the rest is for the way there and back. */
const requestTimeoutMs = 30_000;

/**
 * An Octokit plugin that gives every try of a request a time of its own: one that stalls counts as lost
 * and is tried again. Past the run's own limit nothing is: its reason is what the caller gets.
 */
export function endStalled({
  requestTimeoutMs: ms = requestTimeoutMs,
}: Pick<GitHubOptions, 'requestTimeoutMs'>) {
  return ({ hook }: Pick<Octokit, 'hook'>): Record<string, never> => {
    hook.wrap('request', async (request, options) => {
      const limit: AbortSignal = options.request?.signal ?? new AbortController().signal;
      const own = new AbortController();
      const end = () => own.abort(limit.reason);
      const timer = setTimeout(() => own.abort(new Error(`no answer within ${ms} ms`)), ms);
      limit.addEventListener('abort', end, { once: true });
      try {
        limit.throwIfAborted();
        // the hooks below this one were given these options already: only a change in place reaches them
        options.request = { ...options.request, signal: own.signal };
        return await request(options);
      } catch (error) {
        throw limit.aborted && limit.reason instanceof PhotonError ? limit.reason : error;
      } finally {
        clearTimeout(timer);
        limit.removeEventListener('abort', end);
        options.request = { ...options.request, signal: limit };
      }
    });
    return {};
  };
}

/** A client for tidying up, with time left where the run has none; there is none in some tests. */
export type Rescue = (() => Promise<GitHub>) | undefined;

/** The client, or the rescue where the run was cancelled or its time is up. It knows what the other learned. */
export async function withTimeLeft(github: GitHub, rescue: Rescue): Promise<GitHub> {
  if (!github.signal.aborted || !rescue) return github;
  const later = await rescue();
  Object.assign(later.refs, github.refs);
  return later;
}

/**
 * Carries out a write that the end of the run's time may cut off: whether it happened is then looked
 * for, so that the outcome tells the truth.
 */
export async function writeOrLook<T>(
  github: GitHub,
  {
    write,
    look,
    rescue,
  }: {
    readonly write: () => Promise<T>;
    readonly look: (github: GitHub) => Promise<T | null>;
    readonly rescue: Rescue;
  },
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!github.signal.aborted || !rescue) throw error;
    const later = await rescue();
    const found = await later.readWritten(
      () => look(later),
      each => each !== null,
    );
    if (found === null) throw error;
    return found;
  }
}
