/** What a double of GitHub's API is: its state, its routes, and how a request finds the route that answers it. */
import type { ObjectStore } from './object-store.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Media types that the client asks for. */
  readonly accept: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Person {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Bot';
}

/** The owner of the token of a job. */
export const bot: Person = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' };

export interface PullState {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  draft: boolean;
  readonly head: string;
  readonly base: string;
  /** True: the head is in another repository. */
  readonly fork: boolean;
  /** ISO 8601; that of GitHub's example if absent. */
  createdAt?: string;
  /** Time of the merge; absent when it was not merged. */
  mergedAt?: string;
  readonly labels: string[];
  readonly user: Person;
  merged?: boolean;
  /** Who closed it; absent for a person. */
  closedBy?: Person;
  /** Commit by which it was merged. */
  mergedAs?: string;
  /** Commit of its head once its branch is gone; for a fork, the head. */
  headSha?: string;
}

export interface State {
  readonly store: ObjectStore;
  /** Owner and name. */
  readonly repository: string;
  readonly pulls: Map<number, PullState>;
  /** Issues share their numbers with pull requests. */
  readonly issues: ReadonlyMap<number, object>;
  /** Owner of the token, and whether GitHub signs commits made with it. */
  actor: Person;
  signs: boolean;
  /** Address of the double. */
  url: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The fields of a reply by the name of its schema, with whatever else a client may read. */
  readonly fill: (schema: string, fields: Record<string, unknown>) => Record<string, unknown>;
}

export interface Route<S extends State = State> {
  readonly method: string;
  readonly pattern: RegExp;
  /** Undefined leaves the request to the next route that fits. */
  readonly answer: (
    call: Call & { readonly params: Record<string, string> },
    state: S,
  ) => Reply | undefined;
}

/** A route below the address of a repository; groups of the path become `params`. */
export function route<S extends State = State>(
  method: string,
  path: string,
  answer: Route<S>['answer'],
): Route<S> {
  return { method, pattern: new RegExp(`^/repos/[^/]+/[^/]+${path}$`), answer };
}

export const error = (status: number, message: string, more: object = {}): Reply => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', ...more },
});

/** The answer of the first route that fits and has one; 404 without one. */
export function answerCall<S extends State>(
  call: Call,
  routes: readonly Route<S>[],
  state: S,
): Reply {
  for (const { method, pattern, answer } of routes) {
    const match = method === call.method ? pattern.exec(call.path) : null;
    const reply =
      match === null ? undefined : answer({ ...call, params: match.groups ?? {} }, state);
    if (reply !== undefined) return reply;
  }
  return error(404, 'Not Found', { status: '404' });
}

export function fillPerson({ fill }: State, user: Person) {
  return fill('simple-user', { ...user, avatar_url: 'http://127.0.0.1/', site_admin: false });
}

export function fillRepository(state: State, schema: 'full-repository' | 'repository', id = 1) {
  const [owner = '', name = ''] = state.repository.split('/');
  return state.fill(schema, {
    id,
    node_id: 'x',
    name,
    full_name: state.repository,
    default_branch: 'main',
    html_url: `${state.url}/${state.repository}`,
    owner: fillPerson(state, { login: owner, id: 7, type: 'User' }),
  });
}

export function fillRef(state: State, ref: string, sha: string) {
  const object = { type: 'commit', sha, url: `${state.url}/x` };
  return state.fill('git-ref', { ref, node_id: 'x', url: `${state.url}/x`, object });
}

export function fillCommit(state: State, sha: string) {
  const raw = state.store.readCommit(sha) ?? '';
  const [head = '', ...message] = raw.trimEnd().split('\n\n');
  const by = (key: string) => {
    const line = new RegExp(`^${key} (.*) <(.*)> (\\d+) \\+0000$`, 'm').exec(head) ?? [];
    const [, name = '', email = '', seconds = '0'] = line;
    return { name, email, date: new Date(Number(seconds) * 1000).toISOString() };
  };
  const parents = [...head.matchAll(/^parent (\w+)$/gm)].map(m => ({
    sha: m[1],
    url: `${state.url}/x`,
    html_url: `${state.url}/x`,
  }));
  const verified = state.signs && by('author').email.includes('[bot]');
  const verification = { verified, reason: verified ? 'valid' : 'unsigned' };
  return state.fill('git-commit', {
    sha,
    message: message.join('\n\n'),
    parents,
    author: by('author'),
    committer: by('committer'),
    verification: { ...verification, signature: null, payload: null, verified_at: null },
    tree: { sha: /^tree (\w+)$/m.exec(head)?.[1] ?? '', url: `${state.url}/x` },
  });
}

export function fillPull(
  state: State,
  pull: PullState,
  schema: 'pull-request' | 'pull-request-simple',
) {
  const [owner = '', name = ''] = state.repository.split('/');
  const side = (branch: string, isFork: boolean, sha?: string) => ({
    label: `${owner}:${branch}`,
    ref: branch,
    sha: sha ?? state.store.commitOf(`refs/heads/${branch}`) ?? '0'.repeat(40),
    repo: isFork
      ? { ...fillRepository(state, 'repository', 2), full_name: `forker/${name}` }
      : fillRepository(state, 'repository'),
    user: fillPerson(state, bot),
  });
  const merged = pull.merged === true || (pull.mergedAs ?? pull.mergedAt) !== undefined;
  const isWhole = schema === 'pull-request';
  const mergedBy = pull.merged ? fillPerson(state, pull.user) : null;
  return state.fill(schema, {
    number: pull.number,
    node_id: `PR_${pull.number}`,
    merge_commit_sha: pull.mergedAs ?? null,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    user: fillPerson(state, pull.user),
    merged_at: pull.mergedAt ?? null,
    merged: isWhole ? merged : undefined,
    merged_by: isWhole ? mergedBy : undefined,
    head: side(pull.head, pull.fork, pull.headSha),
    base: side(pull.base, false),
    html_url: `${state.url}/${state.repository}/pull/${pull.number}`,
    labels: pull.labels.map((label, i) => fillLabel(state, label, i + 1)),
    created_at: pull.createdAt ?? '2026-01-01T00:00:00Z',
  });
}

export function fillLabel({ fill }: State, name: string, id: number) {
  return fill('label', { id, name, color: 'ededed', default: false, description: '' });
}
