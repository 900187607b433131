/** The types of the GitHub client that the rest of Photon uses. */
import * as z from 'zod';

/** When all requests end, with their waits and retries. */
export interface RequestLimit {
  /** Ends the requests that are running. If its reason is a PhotonError, the caller gets that error. */
  readonly signal: AbortSignal;
  /** No wait lasts longer than this time (ms since the epoch). */
  readonly deadline: number;
}

/** Authenticates requests. This is the shape that Octokit's `authStrategy` returns. */
export type AppStrategy = () => ((...args: never[]) => Promise<unknown>) & {
  hook: (request: AppRequest, route: never, parameters: never) => Promise<unknown>;
};

/** An Octokit request that a strategy can change. */
export type AppRequest = {
  (endpoint: unknown): Promise<unknown>;
  endpoint: { merge(route: never, parameters: never): { headers: Record<string, unknown> } };
};

export interface GitHubOptions extends RequestLimit {
  /** `owner/name` of the repository that the client is for. */
  readonly repository: string;
  /** `GITHUB_API_URL`; GitHub Enterprise Server has its own. */
  readonly apiUrl: string;
  readonly token: string;
  /** Signs requests instead of the token. */
  readonly strategy?: AppStrategy;
  readonly log: (line: string) => void;
  /** Removes secrets from what is posted; default: nothing is removed. */
  readonly scrub?: (text: string) => string;
  readonly now: () => number;
  /** Milliseconds between two mutations; GitHub recommends one second. */
  readonly mutationSpacingMs: number;
  /** Milliseconds until a request without a whole reply counts as lost; default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Shared by the clients of one process; default: of this client alone. */
  readonly posted?: PostedIds;
}

/**
 * Ids of what this process created, by place and mark: GitHub's lists can be minutes behind its writes, and what is not
 * found is created twice.
 */
type PostedIds = Map<string, number>;

export type Octokit = import('@octokit/rest').Octokit;

/** A client for one repository. */
export interface GitHub {
  /** `owner/name`. */
  readonly repository: string;
  /** The same in the fields of a request. */
  readonly where: { readonly owner: string; readonly repo: string };
  /** Address of the API. */
  readonly apiUrl: string;
  /** Every method rejects with PhotonError `GITHUB_*`, `NETWORK_*` or the reason of the limit; its `cause` is the error of Octokit. */
  readonly rest: Octokit['rest'];
  /** Rejects with what Octokit throws if the reply holds errors. */
  readonly graphql: Octokit['graphql'];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly posted: PostedIds;
  /** Login of the token's owner; undefined for the token of a bot. Requested once. */
  self(): Promise<string | undefined>;
  /**
   * Carries out a create that must happen only once, with at most three tries. A reply can be lost
   * after the write, so `find` looks for the result before each further try.
   */
  createOnce<T>(create: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T>;
  /**
   * Reads what was just written until it is there (default: not undefined), because GitHub's reads can lag behind its writes.
   * Returns the last answer after at most five tries in about fifteen seconds, even if it is not.
   */
  readWritten<T>(read: () => Promise<T>, isThere?: (found: T) => boolean): Promise<T>;
  /** The same client under another limit; the pauses between mutations are shared. */
  within(limit: RequestLimit): GitHub;
  /** The same client for another repository. */
  at(repository: string): GitHub;
}

/** An account, as GitHub's payloads name it. */
export interface Author {
  readonly login: string;
  readonly id: number;
  /** `User`, `Bot`, `Organization`, … */
  readonly type: string;
}

/** Takes `owner/name` apart. */
export function splitRepository(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

/** All entries of a list, read by at most `maxPages` pages of a hundred. @throws PhotonError `GITHUB_*`. */
export async function readPages<T>(
  maxPages: number,
  read: (at: {
    readonly per_page: 100;
    readonly page: number;
  }) => Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await read({ per_page: 100, page });
    all.push(...data);
    if (data.length < 100) break;
  }
  return all;
}

/** For creates: stops the retry plugin, which would repeat a POST without looking for its result. */
export const noRetry = { request: { retries: 0 } } as const;

/** Whom GitHub shows in place of a deleted account. It may write nowhere. */
const ghost: Author = { login: 'ghost', id: 10_137, type: 'User' };

/** An account; for null or nothing, GitHub's `ghost`. */
export const accountSchema = z
  .object({ login: z.string(), id: z.number(), type: z.string() })
  .nullish()
  .transform((user): Author => user ?? ghost);
