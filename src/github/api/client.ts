/** The GitHub API: Octokit with throttling and bounded retries, and every failure as one of our codes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { GitHub, GitHubOptions, Octokit, RequestLimit } from './github.ts';
import { statusOf } from './github-errors.ts';
import { checkReplies } from './replies.ts';
import { endStalled } from './request-limit.ts';
import { scrubPosted } from './scrub-posted.ts';
import { findSelf } from './self.ts';

const longestWaitS = 300;

/** Seconds to wait, the request, the client, and how often it was tried. */
type LimitArguments = readonly [number, unknown, unknown, number];

/** Opens the API; the libraries are loaded here, not before. */
export async function openGitHub(options: GitHubOptions): Promise<GitHub> {
  const [{ getOctokit }, { defaults }, { throttling }, { retry }, { default: Bottleneck }] =
    await Promise.all([
      import('@actions/github'),
      import('@actions/github/lib/utils'),
      import('@octokit/plugin-throttling'),
      import('@octokit/plugin-retry'),
      import('bottleneck/light.js'),
    ]);
  const { strategy } = options;
  const spaced = (id: string) =>
    new Bottleneck.Group({
      id: `photon-${id}`,
      maxConcurrent: 1,
      minTime: options.mutationSpacingMs,
    });
  const groups = { write: spaced('write'), notifications: spaced('notifications') };
  const looks = scrubPosted(options.scrub ?? (text => text));
  const plugins = [looks, checkReplies, limitsByOtherWords, endStalled(options), retry, throttling];
  let self: Promise<string | null> | null = null;
  const refs = { together: true, anywhere: true };

  const open = (limit: RequestLimit): GitHub => {
    const settings = {
      ...settingsOf({ ...options, ...limit }, groups),
      // Octokit takes this whole or not at all: what asks through the runner's proxy stays in it
      request: { ...defaults.request, signal: limit.signal },
    };
    const octokit =
      strategy === undefined
        ? getOctokit(options.token, settings, ...plugins)
        : getOctokit('by-app', { ...settings, authStrategy: strategy }, ...plugins);
    const bound = { ...options, ...limit };
    return {
      rest: octokit.rest,
      graphql: octokit.graphql,
      signal: limit.signal,
      log: options.log,
      refs,
      self: () => {
        self ??= findSelf(octokit.rest, options.token);
        return self;
      },
      createOnce: (create, find) => createOnce(create, find, bound),
      readWritten: (read, isThere) => readWritten(read, isThere, { ...bound, reads: 5 }),
      within: open,
    };
  };
  return open(options);
}

/** Octokit's own settings: where it asks, how long it waits for limits, what it tries again. */
function settingsOf(
  options: GitHubOptions,
  groups: { readonly write: object; readonly notifications: object },
) {
  const mayWait = (seconds: number, what: string, tries: number): boolean => {
    const fits = seconds <= longestWaitS && options.now() + seconds * 1000 < options.deadline;
    options.log(`GitHub: ${what}; ${fits && tries < 3 ? `waiting ${seconds} s` : 'giving up'}.`);
    return fits && tries < 3;
  };
  return {
    baseUrl: options.apiUrl,
    userAgent: 'photon-agent-action',
    throttle: {
      ...groups,
      fallbackSecondaryRateRetryAfter: 60,
      onRateLimit: (...[s, , , tries]: LimitArguments) => mayWait(s, 'rate limit', tries),
      onSecondaryRateLimit: (...[s, , , tries]: LimitArguments) =>
        mayWait(s, 'secondary rate limit', tries),
    },
    // limits are the throttling plugin's business: it waits as long as GitHub says, or gives up
    retry: {
      retryAfterBaseValue: Math.max(1, options.mutationSpacingMs),
      doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  };
}

/**
 * Limits that the throttling plugin does not know by their words are put in its own: the older ones of
 * GitHub Enterprise Server, and any 429 or `Retry-After`, which a proxy may have said. It stands first,
 * so that the plugin sees them.
 */
function limitsByOtherWords({ hook }: Pick<Octokit, 'hook'>): Record<string, never> {
  hook.error('request', error => {
    const status = statusOf(error);
    const { headers } =
      (error as { response?: { headers?: Record<string, unknown> } }).response ?? {};
    const waits = headers?.['retry-after'] !== undefined && (status === 403 || status === 429);
    const limited =
      waits || status === 429 || (status === 403 && /abuse detection/i.test(error.message));
    const known =
      /secondary rate/i.test(error.message) || headers?.['x-ratelimit-remaining'] === '0';
    if (limited && !known) error.message = `Secondary rate limit: ${error.message}`;
    throw error;
  });
  return {};
}

const maxTries = 3;

async function createOnce<T>(
  create: () => Promise<T>,
  find: () => Promise<T | null>,
  options: GitHubOptions,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      const status = statusOf(error);
      const lost = status === null || status >= 500;
      if (!lost || tries >= maxTries || options.signal.aborted) throw error;
      options.log(
        `GitHub: a reply was lost (${status ?? 'no answer'}); looking before trying again.`,
      );
      const found = await readWritten(find, each => each !== null, { ...options, reads: 3 });
      if (found !== null) return found;
    }
  }
}

async function readWritten<T>(
  read: () => Promise<T>,
  isThere: (found: T) => boolean,
  options: GitHubOptions & { readonly reads: number },
): Promise<T> {
  for (let reads = 1; ; reads++) {
    const found = await read();
    const waitMs = options.mutationSpacingMs * 2 ** (reads - 1);
    if (isThere(found) || reads >= options.reads || options.now() + waitMs > options.deadline)
      return found;
    await pause(waitMs, undefined, { signal: options.signal });
  }
}
