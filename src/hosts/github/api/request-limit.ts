/** Time limits for requests to GitHub: one for each try, and that of the run for all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PhotonError } from '../../../base/codes.ts';
import type { GitHub, GitHubOptions, Octokit } from './github.ts';
import { githubError } from './github-errors.ts';

/** GitHub ends a request after ten seconds; the rest allows for the network. */
const requestTimeoutMs = 30_000;

/**
 * An Octokit plugin that limits the time of each try: a try that stalls counts as lost and is repeated.
 * Nothing is repeated after the run's own limit, and the caller gets the reason of that limit.
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
        // the inner hooks hold these options already, so only a change in place reaches them
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

/** Waits. @throws PhotonError `GITHUB_*`, or the reason of the signal, when that ends the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw githubError(signal.reason, signal);
  });
}

/** Opens a client for cleaning up when the run has no time left; undefined in some tests. */
export type Rescue = (() => Promise<GitHub>) | undefined;

/** The client, or the rescue client when the run was cancelled or its time is up. */
export async function withTimeLeft(github: GitHub, rescue: Rescue): Promise<GitHub> {
  return github.signal.aborted && rescue ? rescue() : github;
}
