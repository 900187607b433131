/** The GitHub API: Octokit with throttling and bounded retries, and every failure as one of our codes. */
import { setTimeout as pause } from 'node:timers/promises';
import { PhotonError } from '../codes.ts';
import type { AppStrategy } from './app-auth.ts';
import { codeOfRefusal } from './push-rules.ts';
import { BrokenReply, checkReplies } from './replies.ts';
import { endStalled, type RequestLimit } from './request-limit.ts';
import { scrubPosted } from './scrub-posted.ts';
import { findSelf } from './self.ts';

export interface GitHubOptions extends RequestLimit {
  /** `GITHUB_API_URL`; GitHub Enterprise Server has its own. */
  readonly apiUrl: string;
  readonly token: string;
  /** Signs requests in place of the token. */
  readonly strategy?: AppStrategy;
  readonly log: (line: string) => void;
  /** Blanks secrets in what is posted; default: there are none. */
  readonly scrub?: (text: string) => string;
  readonly now: () => number;
  /** Milliseconds between two mutations; GitHub asks for a second. */
  readonly mutationSpacingMs: number;
  /** Milliseconds until a request without a whole reply counts as lost; default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
}

export type Octokit = ReturnType<typeof import('@actions/github').getOctokit>;

/** What a server was found to take of refs; it is believed to take all until it refuses. */
export interface RefSupport {
  /** It knows the mutation `updateRefs`: refs change together, each only from what it was. */
  together: boolean;
  /** It takes refs outside of `heads` and `tags`. */
  anywhere: boolean;
}

export interface GitHub {
  readonly rest: Octokit['rest'];
  readonly graphql: Octokit['graphql'];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Learned once, for all limits. */
  readonly refs: RefSupport;
  /** Login of the person whose token it is; null for a bot's. Asked once. */
  self(): Promise<string | null>;
  /**
   * Carries out a create that may not happen twice. A reply can be lost after the write, so
   * `find` looks for the result before each further try; at most three tries.
   */
  createOnce<T>(create: () => Promise<T>, find: () => Promise<T | null>): Promise<T>;
  /**
   * Reads what was just written until it is there: GitHub's reads can lag behind its writes. The last
   * answer after at most five tries in about fifteen seconds, whether it is there or not.
   */
  readWritten<T>(read: () => Promise<T>, isThere: (found: T) => boolean): Promise<T>;
  /** The same client under another limit; the pauses between mutations are shared. */
  within(limit: RequestLimit): GitHub;
}

/** A repository as `owner/name`, taken apart. */
export function splitRepository(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** For creates: the retry plugin repeats POST, which `createOnce` does with care instead. */
export const noRetry = { request: { retries: 0 } } as const;

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
  const plugins = [
    ...[looks, checkReplies, limitsByOtherWords],
    ...[endStalled(options), retry, throttling],
  ];
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

/** HTTP status of an Octokit error; null when there was no answer. */
export function statusOf(error: unknown): number | null {
  const status = (error as { status?: unknown } | null)?.status;
  const answered = (error as { response?: unknown } | null)?.response !== undefined;
  return typeof status === 'number' && answered ? status : null;
}

/** What GitHub said, in one bounded line. */
export function sayingOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').slice(0, 400);
}

/** An Octokit error as a PhotonError with its code; a PhotonError stays what it is. */
export function githubError(error: unknown, signal: AbortSignal): PhotonError {
  if (error instanceof PhotonError) return error;
  if (signal.aborted && signal.reason instanceof PhotonError) return signal.reason;
  if (error instanceof BrokenReply)
    return new PhotonError('GITHUB_REPLY', `GitHub: ${error.message}.`, { cause: error });
  const status = statusOf(error);
  const said = `GitHub: ${status === null ? '' : `HTTP ${status}: `}${sayingOf(error)}`;
  if (status === 403 && /not permitted to create or approve pull requests/i.test(said))
    return new PhotonError('PULL_REQUESTS_FORBIDDEN', `${said} ${settingOf(error)}`.trim(), {
      cause: error,
    });
  const refusal = status !== null && status < 500 ? codeOfRefusal(said) : null;
  if (refusal !== null) return new PhotonError(refusal, said, { cause: error });
  const needed = status === 403 ? neededPermissions(error) : '';
  if (needed !== '')
    return new PhotonError('GITHUB_PERMISSION', `${said} It needs ${needed}.`, { cause: error });
  if (status === 401) return new PhotonError('GITHUB_AUTH', said, { cause: error });
  if (status === 403 && !/rate limit/i.test(said))
    return new PhotonError('GITHUB_AUTH', said, { cause: error });
  if (status === null || status >= 500 || status === 403 || status === 429) {
    return new PhotonError('GITHUB_UNAVAILABLE', said, { cause: error });
  }
  return new PhotonError('GITHUB_REQUEST', said, { cause: error });
}

/** Address of the page whose setting keeps Actions from opening pull requests. */
function settingOf(error: unknown): string {
  const { url = '' } = (error as { request?: { url?: string } }).request ?? {};
  const parts = /^(https?:\/\/)([^/]+)(?:\/api\/v3)?\/repos\/([\w.-]+\/[\w.-]+)\//.exec(url);
  if (parts === null) return '';
  const [, scheme, host = '', repository] = parts;
  return `The setting: ${scheme}${host.replace(/^api\./, '')}/${repository}/settings/actions`;
}

/** What an answer says was needed (`X-Accepted-GitHub-Permissions`), such as `contents: write`. */
function neededPermissions(error: unknown): string {
  const headers = (error as { response?: { headers?: Record<string, unknown> } }).response?.headers;
  const accepted = headers?.['x-accepted-github-permissions'];
  // a limit is answered with 403, too, and has its own cure
  if (typeof accepted !== 'string' || headers?.['retry-after'] !== undefined) return '';
  if (headers?.['x-ratelimit-remaining'] === '0') return '';
  return accepted
    .slice(0, 200)
    .split(/[;,]\s*/)
    .map(each => each.trim().replaceAll('_', '-').replace('=', ': '))
    .join(' or ');
}

/** Runs requests; whatever they throw comes out as a PhotonError. */
export async function withCodes<T>(github: GitHub, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw githubError(error, github.signal);
  }
}
