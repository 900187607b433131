/** Opens the GitHub client: Octokit with throttling, bounded retries, checked replies, and no secrets in posts. */
import { redactTexts } from '../../../guard/secrets/secrets.ts';
import {
  type GitHub,
  type GitHubOptions,
  type Octokit,
  type RequestLimit,
  splitRepository,
} from './github.ts';
import { getStatus, withCodes } from './github-errors.ts';
import { checkReplies } from './replies.ts';
import { endStalled, pause } from './request-limit.ts';

/** Longest wait for a rate limit, in seconds. */
const maxWaitS = 300;

/** Seconds to wait, the request, the client, and how often it was tried. */
type LimitArguments = readonly [number, unknown, unknown, number];

/** Opens the client. The libraries are loaded here and not earlier. */
export async function openGitHub(options: GitHubOptions): Promise<GitHub> {
  const [{ Octokit }, { getOctokitOptions }, { throttling }, { retry }, { default: Bottleneck }] =
    await Promise.all([
      import('@octokit/rest'),
      import('@actions/github/lib/utils'),
      import('@octokit/plugin-throttling'),
      import('@octokit/plugin-retry'),
      import('bottleneck/light.js'),
    ]);
  const { strategy } = options;
  const makeQueue = (id: string) =>
    new Bottleneck.Group({
      id: `photon-${id}`,
      maxConcurrent: 1,
      minTime: options.mutationSpacingMs,
    });
  const groups = { write: makeQueue('write'), notifications: makeQueue('notifications') };
  const Client = Octokit.plugin(
    scrubPosted(options.scrub ?? (text => text)),
    checkReplies,
    recogniseLimits,
    endStalled(options),
    retry,
    throttling,
    withCodes,
  );
  let self: Promise<string | undefined> | undefined;
  const posted = options.posted ?? new Map();

  const open = (repository: string, limit: RequestLimit): GitHub => {
    const bound = { ...options, ...limit };
    const settings = { ...buildSettings(bound, groups), request: { signal: limit.signal } };
    const octokit = new Client(
      strategy === undefined
        ? // without a token, GitHub refuses each request
          getOctokitOptions(options.token || 'none', settings)
        : getOctokitOptions('by-app', { ...settings, authStrategy: strategy }),
    );
    return {
      repository,
      where: splitRepository(repository),
      apiUrl: options.apiUrl,
      rest: octokit.rest,
      graphql: octokit.graphql,
      signal: limit.signal,
      log: options.log,
      posted,
      self: () => {
        self ??= findSelf(octokit.rest, options.token);
        return self;
      },
      createOnce: (create, find) => createOnce(create, find, bound),
      readWritten: (read, isThere = found => found !== undefined) =>
        readWritten(read, isThere, { ...bound, reads: 5 }),
      within: other => open(repository, other),
      at: other => open(other, limit),
    };
  };
  return open(options.repository, options);
}

/** Octokit's settings: address, waits for rate limits, retries. */
function buildSettings(
  options: GitHubOptions,
  groups: { readonly write: object; readonly notifications: object },
) {
  const mayWait = (seconds: number, what: string, tries: number): boolean => {
    const fits = seconds <= maxWaitS && options.now() + seconds * 1000 < options.deadline;
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
    // the throttling plugin handles rate limits, so they are not retried here
    retry: {
      retryAfterBaseValue: Math.max(1, options.mutationSpacingMs),
      doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  };
}

/**
 * A plugin that rewords rate limits so that the throttling plugin recognises them: older messages of
 * GitHub Enterprise Server, and any 429 or `Retry-After`, which can come from a proxy. It comes before
 * the throttling plugin.
 */
function recogniseLimits({ hook }: Pick<Octokit, 'hook'>): Record<string, never> {
  hook.error('request', error => {
    const status = getStatus(error);
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
  find: () => Promise<T | undefined>,
  options: GitHubOptions,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await create();
    } catch (error) {
      const status = getStatus(error);
      const lost = status === undefined || status >= 500;
      if (!lost || tries >= maxTries || options.signal.aborted) throw error;
      options.log(
        `GitHub: a reply was lost (${status ?? 'no answer'}). Photon looks for the result before it tries again.`,
      );
      const found = await readWritten(find, each => each !== undefined, { ...options, reads: 3 });
      if (found !== undefined) return found;
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
    await pause(waitMs, options.signal);
  }
}

/** Parameters that people read. Contents of files are judged as a patch instead. */
const postedParameters = ['title', 'body', 'message', 'comments', 'commit_title', 'commit_message'];

/** A plugin that removes secrets from the texts of every request. */
function scrubPosted(scrub: (text: string) => string) {
  return ({ hook }: Pick<Octokit, 'hook'>): Record<string, never> => {
    hook.before('request', options => {
      const parameters = options as Record<string, unknown>;
      for (const name of postedParameters)
        if (parameters[name] !== undefined) parameters[name] = redactTexts(parameters[name], scrub);
    });
    return {};
  };
}

/**
 * Login of the token's owner: Photon finds its own comments by their mark and their author. Undefined for
 * the token of an installation (`GITHUB_TOKEN`, a GitHub App), whose comments are those of a bot.
 */
async function findSelf(rest: GitHub['rest'], token: string): Promise<string | undefined> {
  // tokens of installations have this prefix (GitHub, "About authentication to GitHub", token formats)
  if (token.startsWith('ghs_')) return undefined;
  return (await rest.users.getAuthenticated().catch(() => undefined))?.data.login;
}
