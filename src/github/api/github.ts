/** The client of the GitHub API as the rest of Photon sees it. */

/** When requests end: all of them, waits and retries included. */
export interface RequestLimit {
  /** Ends what is under way; a reason that is a PhotonError is what the caller gets. */
  readonly signal: AbortSignal;
  /** No wait goes past this time (ms since the epoch). */
  readonly deadline: number;
}

/** Asks for the authentication of a request; the shape that Octokit's `authStrategy` returns. */
export type AppStrategy = () => ((...args: never[]) => Promise<unknown>) & {
  hook: (request: AppRequest, route: never, parameters: never) => Promise<unknown>;
};

/** A request of Octokit, as a strategy may change it. */
export type AppRequest = {
  (endpoint: unknown): Promise<unknown>;
  endpoint: { merge(route: never, parameters: never): { headers: Record<string, unknown> } };
};

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
