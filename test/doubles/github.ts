/** GitHub's API over a real bare git repository. Every request and response is checked against GitHub's OpenAPI description. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerCall } from '../../src/demo/github/api.ts';
import { routes as deliveryBasics } from '../../src/demo/github/routes.ts';
import { checkRequest, checkResponse } from '../contract/contract.ts';
import { sample } from '../contract/sample.ts';
import { type GitFile, GitStore } from './git-store.ts';
import { type AppDouble, answerApp, mintedToken } from './github-app.ts';
import { bot, type Call, type Person, type Reply, routes, type State } from './github-routes.ts';
import { answerGraphql } from './graphql.ts';
import { advisoryRoutes } from './routes/advisories.ts';
import { answerStorage, artifactRoutes } from './routes/artifacts.ts';
import { answerAttachment } from './routes/attachments.ts';
import { deliveryRoutes } from './routes/delivery.ts';
import { findingRoutes } from './routes/finding-threads.ts';
import { issueRoutes } from './routes/issues.ts';
import { type RefRules, refRoutes } from './routes/refs.ts';
import { surfaceRoutes } from './routes/surface.ts';
import { emptySurface } from './routes/surface-state.ts';
import { threadRoutes } from './routes/threads.ts';
import { listen } from './serve.ts';

const allRoutes = [
  ...routes,
  ...refRoutes,
  ...deliveryBasics,
  ...advisoryRoutes,
  ...artifactRoutes,
  ...deliveryRoutes,
  ...threadRoutes,
  ...findingRoutes,
  ...issueRoutes,
  ...surfaceRoutes,
];

export interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** True: the write happens before the fault. */
  readonly afterWrite?: boolean;
  /** True: the connection closes without an answer. */
  readonly drop?: boolean;
  /** The write happens, but the reply is another text, or only its first bytes. */
  readonly broken?: (reply: string) => { readonly text: string } | { readonly bytes: number };
  /** True: a read gets the reply that the same address had when it was first read; a write is carried out as usual. */
  readonly stale?: boolean;
  /** Number of times that the fault occurs; default: once. */
  readonly times?: number;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

/** A request at one of two stages: before it is carried out, and when its reply is ready. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly index: number;
  readonly stage: 'before' | 'after';
  /** Name by which a client calls the double (`/as-<name>` in its address). */
  readonly client: string;
}

/** Can delay a request; `drop` closes the connection without an answer. */
export type Watcher = (request: Passing) => Promise<'drop' | undefined> | 'drop' | undefined;

type Matcher = (method: string, path: string, index: number) => boolean;

export interface GitHubDouble {
  readonly url: string;
  readonly token: string;
  readonly repository: string;
  readonly store: GitStore;
  readonly state: State;
  readonly seen: Seen[];
  /** Violations of the OpenAPI description by requests or by this double's replies; tests expect none. */
  readonly violations: string[];
  /** First commit of the default branch. */
  readonly first: string;
  /** Logins of deleted accounts: where a reply names one, GitHub gives null. */
  readonly ghosts: Set<string>;
  fail(matches: Matcher, fault: Fault): void;
  /** Calls the watcher at both stages of every request. */
  watch(watcher: Watcher): void;
  /** Requests that change something. */
  writes(): Seen[];
  clone(folder: string, ref?: string): void;
  close(): Promise<void>;
}

export interface GitHubOptions {
  readonly seed: Readonly<Record<string, GitFile | string>>;
  readonly token?: string;
  /** A GitHub App that is installed on the repository. */
  readonly app?: AppDouble;
  /** Owner of the token; default: the bot of GITHUB_TOKEN. */
  readonly actor?: Person;
  readonly refRules?: RefRules;
  /** Files of the branch main of other repositories that the token may read; of every other name, GitHub has none. */
  readonly others?: Readonly<Record<string, Readonly<Record<string, GitFile | string>>>>;
}

/** Starts the double on a free port of 127.0.0.1. */
export async function startGitHub(options: GitHubOptions): Promise<GitHubDouble> {
  const store = new GitStore();
  const token = options.token ?? 'ghs_doubleTokenDoubleTokenDoubleToken0000';
  const repository = 'octo/sample';
  const first = store.push('main', options.seed, 'First', new Date('2026-01-01T00:00:00Z'));
  const state: State = {
    store,
    repository,
    issues: new Map(),
    pulls: new Map(),
    comments: new Map(),
    permissions: new Map(),
    activities: [],
    reactions: [],
    reviews: [],
    dispatched: [],
    refRules: options.refRules ?? {},
    actor: options.actor ?? bot,
    signs: true,
    nextId: 100,
    url: '',
    now: Date.now,
    fill: (schema, fields) =>
      sample(
        schema,
        /^(?:full-)?repository$/.test(schema) ? { ...fields, ...state.surface.merging } : fields,
      ),
    surface: emptySurface(),
  };
  const others = new Map(
    Object.entries(options.others ?? {}).map(([name, files]): [string, State] => {
      const own = new GitStore();
      own.push('main', files, 'First', new Date('2026-01-01T00:00:00Z'));
      return [name, { ...state, repository: name, store: own }];
    }),
  );
  const seen: Seen[] = [];
  let arrived = 0;
  const violations: string[] = [];
  let watcher: Watcher = () => undefined;
  const ghosts = new Set<string>();
  const firstReplies = new Map<string, Reply>();
  const faults: { matches: Matcher; fault: Fault; left: number }[] = [];

  const server = createServer((request, response) => {
    void handle(request, response).catch(error => {
      violations.push(`the double failed: ${error instanceof Error ? error.stack : error}`);
      response.writeHead(500).end();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const client = /^\/as-(\w+)/.exec(url.pathname)?.[1] ?? '';
    const path = decodeURIComponent(
      url.pathname.replace(/^\/as-\w+/, '').replace(/^\/api\/v3/, ''),
    );
    const method = request.method ?? 'GET';
    const log = /^\/_logs\/(\d+)$/.exec(path)?.[1];
    if (log !== undefined) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(state.surface.logs.get(Number(log)) ?? '');
      return;
    }
    const attachment = answerAttachment(state, url) ?? answerStorage(state, url, request.headers);
    if (attachment !== null) {
      const { status, headers, bytes } = attachment;
      seen.push({ method, path, body: undefined, status, headers: request.headers });
      response.writeHead(status, headers).end(bytes);
      return;
    }
    const sent = await text(request);
    const body: unknown = sent === '' ? undefined : JSON.parse(sent);
    const index = arrived++;
    const passing = { method, path, index, client };
    if ((await watcher({ ...passing, stage: 'before' })) === 'drop') {
      request.socket.destroy();
      return;
    }
    const found = faults.find(f => f.left > 0 && f.matches(method, path, index));
    if (found !== undefined) found.left -= 1;
    const isStale = found?.fault.stale === true;
    const struck = isStale ? undefined : found;
    const authorised =
      request.headers.authorization === `token ${token}` ||
      request.headers.authorization === `bearer ${token}` ||
      (options.app !== undefined && request.headers.authorization === `token ${mintedToken}`);
    const byApp = answerApp(options.app, { method, path, headers: request.headers, body });
    if (path !== '/graphql') violations.push(...checkRequest(method, path, body));
    const real =
      struck !== undefined && struck.fault.afterWrite !== true && struck.fault.broken === undefined
        ? null
        : (byApp ??
          answer(
            {
              method,
              path,
              query: url.searchParams,
              body,
              accept: request.headers.accept ?? '',
            },
            authorised,
          ));
    const broken = struck?.fault.broken;
    const earlier = firstReplies.get(url.href);
    if (method === 'GET' && real !== null && earlier === undefined)
      firstReplies.set(url.href, real);
    const reply: Reply =
      struck === undefined || broken !== undefined
        ? withGhosts((isStale ? earlier : undefined) ?? real ?? { status: 500 }, ghosts)
        : { status: struck.fault.status ?? 502, body: struck.fault.body };
    seen.push({ method, path, body, status: reply.status, headers: request.headers });
    if ((await watcher({ ...passing, stage: 'after' })) === 'drop' || struck?.fault.drop === true) {
      request.socket.destroy();
      return;
    }
    if (struck === undefined && path !== '/graphql')
      violations.push(...checkResponse(method, path, { status: reply.status, body: reply.body }));
    if (broken !== undefined) {
      sendBroken(response, reply, broken);
      return;
    }
    response.writeHead(reply.status, {
      'content-type': 'application/json; charset=utf-8',
      ...(struck === undefined ? reply.headers : struck.fault.headers),
    });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  }

  function answer(call: Call, authorised: boolean): Reply {
    if (!authorised)
      return {
        status: 401,
        body: {
          message: 'Bad credentials',
          documentation_url: 'https://docs.github.com/rest',
          status: '401',
        },
      };
    if (call.path === '/graphql') {
      const { body, violations: wrong } = answerGraphql(state, call.body);
      violations.push(...wrong);
      return { status: 200, body };
    }
    const named = /^\/repos\/([^/]+\/[^/]+)/.exec(call.path)?.[1];
    const at = others.get(named ?? '') ?? state;
    // a token reads no repository that it was not given
    const unseen = options.others !== undefined && named !== undefined && named !== at.repository;
    return answerCall(call, unseen ? [] : allRoutes, at);
  }

  state.url = `http://127.0.0.1:${await listen(server)}`;
  for (const other of others.values()) other.url = state.url;
  return {
    url: state.url,
    token,
    repository,
    store,
    state,
    seen,
    violations,
    first,
    ghosts,
    fail: (matches, fault) => faults.push({ matches, fault, left: fault.times ?? 1 }),
    watch: how => {
      watcher = how;
    },
    // an invalid request changes nothing
    writes: () => seen.filter(s => s.method !== 'GET' && s.status !== 422 && !isQuery(s)),
    clone: (folder, ref) => store.clone(folder, ref),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
      store.close();
      for (const other of others.values()) other.store.close();
    },
  };
}

/** Replies like a broken proxy: the body ends too early, or is a page of the proxy. */
function sendBroken(
  response: ServerResponse,
  { status, body }: Reply,
  broken: NonNullable<Fault['broken']>,
): void {
  const whole = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const sent = broken(whole.toString('utf8'));
  const bytes = 'text' in sent ? Buffer.from(sent.text) : whole.subarray(0, sent.bytes);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': 'text' in sent ? bytes.length : whole.length,
  });
  if ('text' in sent) response.end(bytes);
  else response.write(bytes, () => response.destroy());
}

/** The reply with null for each deleted account below it. */
function withGhosts(reply: Reply, ghosts: ReadonlySet<string>): Reply {
  if (ghosts.size === 0 || reply.body === undefined) return reply;
  const isGhost = (value: unknown) => ghosts.has(Object(value).login as string);
  const text = JSON.stringify(reply.body, (key, value: unknown) =>
    key !== '' && isGhost(value) ? null : value,
  );
  return { ...reply, body: JSON.parse(text) as unknown };
}

/** True for a request of GraphQL that only reads. */
function isQuery({ path, body }: Seen): boolean {
  return path === '/graphql' && /^\s*query\b/.test((body as { query: string }).query);
}
