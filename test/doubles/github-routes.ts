/** The operations of the GitHub double, as a table over its state. */
import { sample } from '../contract/sample.ts';
import type { GitStore, TreeChange } from './git-store.ts';
import { renderedBody } from './routes/attachments.ts';
import type { RefRules } from './routes/refs.ts';
import type { SurfaceState } from './routes/surface-state.ts';

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
  /** Its metadata; absent while there is none. */
  reviewers?: string[];
  teams?: string[];
  assignees?: string[];
  milestone?: number;
  autoMerge?: string;
  /** Who closed it; absent for a person. */
  closedBy?: Person;
  /** Commit by which it was merged. */
  mergedAs?: string;
  /** Commit of its head once its branch is gone; for a fork, the head. */
  headSha?: string;
}

export interface ReviewState {
  readonly id: number;
  readonly pull: number;
  body: string;
  readonly commit: string;
  readonly user: Person;
  readonly comments: readonly {
    readonly path: string;
    readonly line: number;
    readonly start_line?: number;
    readonly body: string;
  }[];
}

export interface CommentState {
  readonly id: number;
  readonly issue: number;
  body: string;
  readonly user: Person;
  /** ISO 8601; `updatedAt` is another when it was edited. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** File of a review comment; an issue's comments have none. */
  readonly path?: string;
  /** The review comment that it answers. */
  readonly inReplyTo?: number;
  /** True when somebody with write access hid it. */
  readonly hidden?: boolean;
}

export interface IssueState {
  readonly labels: string[];
  title?: string;
  body?: string;
  state?: 'open' | 'closed';
  readonly user?: Person;
}

export interface State {
  readonly store: GitStore;
  readonly repository: string;
  readonly issues: Map<number, IssueState>;
  readonly pulls: Map<number, PullState>;
  readonly comments: Map<number, CommentState>;
  readonly permissions: Map<string, string>;
  readonly activities: {
    readonly ref: string;
    readonly after: string;
    readonly timestamp: string;
  }[];
  readonly reactions: { readonly comment: number; readonly content: string }[];
  readonly reviews: ReviewState[];
  readonly milestones: { readonly number: number; readonly title: string }[];
  readonly dispatched: { readonly workflow: string; readonly ref: string }[];
  /** Restrictions on refs. */
  refRules: RefRules;
  /** Owner of the token, and whether GitHub signs commits made with it. */
  actor: Person;
  signs: boolean;
  nextId: number;
  url: string;
  readonly surface: SurfaceState;
}

export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly answer: (
    call: Call & { readonly params: Record<string, string> },
    state: State,
  ) => Reply;
}

/** The owner of the token. */
export const bot: Person = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' };

const repo = '/repos/(?<owner>[^/]+)/(?<repo>[^/]+)';

export function route(method: string, path: string, answer: Route['answer']): Route {
  return { method, pattern: new RegExp(`^${repo}${path}$`), answer };
}

export const error = (status: number, message: string, more: object = {}): Reply => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', ...more },
});

export const person = (user: Person) =>
  sample('simple-user', { ...user, avatar_url: 'http://127.0.0.1/', site_admin: false });

function repositoryBody(state: State, schema: 'full-repository' | 'repository', id = 1) {
  const [owner = '', name = ''] = state.repository.split('/');
  return sample(schema, {
    id,
    name,
    full_name: state.repository,
    default_branch: 'main',
    html_url: `${state.url}/${state.repository}`,
    owner: person({ login: owner, id: 7, type: 'User' }),
    ...state.surface.merging,
  });
}

export function headOf(state: State, branch: string): string | null {
  return state.store.commitOf(`refs/heads/${branch}`);
}

export function refBody(state: State, ref: string, sha: string) {
  return sample('git-ref', {
    ref,
    node_id: 'x',
    url: `${state.url}/x`,
    object: { type: 'commit', sha, url: `${state.url}/x` },
  });
}

/** Entries of a tree as GitHub returns them; `deep`: recursively. */
function listTree(
  { files }: Pick<GitStore, 'files'>,
  tree: string,
  deep: boolean,
  folder = '',
): object[] {
  return files.entries(tree).flatMap(({ mode, name, sha }) => {
    const path = `${folder}${name}`;
    if (mode === '40000') {
      const below = deep ? listTree({ files }, sha, deep, `${path}/`) : [];
      return [{ path, mode: '040000', type: 'tree', sha }, ...below];
    }
    if (mode === '160000') return [{ path, mode, type: 'commit', sha }];
    return [{ path, mode, type: 'blob', sha, size: files.read(sha)?.content.length ?? 0 }];
  });
}

export function commitBody(state: State, sha: string) {
  const raw = state.store.files.read(sha)?.content.toString('utf8') ?? '';
  const [head = '', ...message] = raw.trimEnd().split('\n\n');
  const when = (key: string) =>
    new Date(
      Number(new RegExp(`^${key} .* (\\d+) \\+0000$`, 'm').exec(head)?.[1] ?? 0) * 1000,
    ).toISOString();
  const parents = [...head.matchAll(/^parent (\w+)$/gm)].map(m => ({
    sha: m[1],
    url: `${state.url}/x`,
    html_url: `${state.url}/x`,
  }));
  const by = (key: string) => {
    const [, name = '', email = ''] = new RegExp(`^${key} (.*) <(.*)> \\d`, 'm').exec(head) ?? [];
    return { name, email, date: when(key) };
  };
  const verified = state.signs && by('author').email.includes('[bot]');
  const verification = { verified, reason: verified ? 'valid' : 'unsigned' };
  const tree = /^tree (\w+)$/m.exec(head)?.[1] ?? '';
  return sample('git-commit', {
    sha,
    message: message.join('\n\n'),
    parents,
    author: by('author'),
    committer: by('committer'),
    verification: { ...verification, signature: null, payload: null, verified_at: null },
    tree: { sha: tree, url: `${state.url}/x` },
  });
}

/** One page of a list: 30 entries, or as many as the request asks for, at most 100. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const from = (Number(query.get('page') ?? 1) - 1) * size;
  return all.slice(from, from + size);
}

/** What GraphQL is asked of a list. */
interface Slice {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string | null;
}

/** A list of GraphQL as GitHub cuts it: the first ones behind a cursor, or the last ones; at most 100. */
export function pagesOf<T>(all: readonly T[]) {
  return ({ first, last, after }: Slice) => {
    const from = last === undefined ? Number(after ?? 0) : Math.max(0, all.length - last);
    const to = Math.min(all.length, from + Math.min(100, first ?? last ?? 100));
    return {
      pageInfo: { hasNextPage: to < all.length, endCursor: to === from ? null : String(to) },
      nodes: all.slice(from, to),
    };
  };
}

export function pullBody(
  state: State,
  pull: PullState,
  schema: 'pull-request' | 'pull-request-simple',
) {
  const side = (branch: string, id: number, sha?: string) => ({
    label: `${state.repository.split('/')[0]}:${branch}`,
    ref: branch,
    sha: sha ?? headOf(state, branch) ?? '0'.repeat(40),
    repo: {
      ...repositoryBody(state, 'repository', id),
      ...(id === 1 ? {} : { full_name: `forker/${state.repository.split('/')[1]}` }),
    },
    user: person(bot),
  });
  return sample(schema, {
    number: pull.number,
    node_id: `PR_${pull.number}`,
    merge_commit_sha: pull.mergedAs ?? null,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    user: person(pull.user),
    merged_at: pull.mergedAt ?? null,
    ...(schema === 'pull-request'
      ? {
          merged: pull.merged === true || (pull.mergedAs ?? pull.mergedAt) !== undefined,
          merged_by: pull.merged ? person(pull.user) : null,
        }
      : {}),
    head: side(pull.head, pull.fork ? 2 : 1, pull.headSha),
    base: side(pull.base, 1),
    html_url: `${state.url}/${state.repository}/pull/${pull.number}`,
    labels: pull.labels.map((name, i) =>
      sample('label', { id: i + 1, name, color: 'ededed', default: false, description: '' }),
    ),
    ...(pull.createdAt === undefined ? {} : { created_at: pull.createdAt }),
  });
}

function commentBody(state: State, comment: CommentState, accept = '') {
  return sample('issue-comment', {
    id: comment.id,
    ...renderedBody(state, comment.body, accept),
    user: person(comment.user),
    html_url: `${state.url}/${state.repository}/issues/${comment.issue}#issuecomment-${comment.id}`,
    issue_url: `${state.url}/repos/${state.repository}/issues/${comment.issue}`,
    ...timesOf(comment),
  });
}

/** True for a comment that was changed since then; one without a time is as new as can be. */
export function isSince({ createdAt, updatedAt = createdAt }: CommentState, since: string | null) {
  return since === null || updatedAt === undefined || Date.parse(updatedAt) >= Date.parse(since);
}

function timesOf({ createdAt = '2026-01-01T00:00:00Z', updatedAt = createdAt }: CommentState) {
  return { created_at: createdAt, updated_at: updatedAt };
}

export function reviewCommentBody(state: State, comment: CommentState) {
  return sample('pull-request-review-comment', {
    id: comment.id,
    body: comment.body,
    path: comment.path ?? '',
    line: 4,
    user: person(comment.user),
    ...(comment.inReplyTo === undefined ? {} : { in_reply_to_id: comment.inReplyTo }),
    html_url: `${state.url}/${state.repository}/pull/${comment.issue}#discussion_r${comment.id}`,
    pull_request_url: `${state.url}/repos/${state.repository}/pulls/${comment.issue}`,
    ...timesOf(comment),
  });
}

export function numberOf(text: string | undefined): number {
  return Number(text ?? 0);
}

export const routes: readonly Route[] = [
  route('GET', '', (_call, state) => ({
    status: 200,
    body: repositoryBody(state, 'full-repository'),
  })),
  route('GET', '/actions/permissions/workflow', (_call, state) =>
    // only the token of an administrator can read this
    state.actor.login === bot.login
      ? error(403, 'Resource not accessible by integration')
      : {
          status: 200,
          body: {
            default_workflow_permissions: 'read',
            can_approve_pull_request_reviews: state.surface.pullRequestsForbidden !== true,
          },
        },
  ),
  route('GET', '/activity', (call, state) => ({
    status: 200,
    body: state.activities
      .filter(a => call.query.get('ref') === null || a.ref === call.query.get('ref'))
      .map((a, i) =>
        sample('activity', {
          id: i + 1,
          before: '0'.repeat(40),
          ...a,
          activity_type: 'push',
          actor: person(bot),
        }),
      ),
  })),
  route('GET', '/collaborators/(?<username>[^/]+)/permission', (call, state) => {
    const permission = state.permissions.get(call.params.username ?? '');
    if (permission === undefined) return error(404, 'Not Found');
    // maintain and triage are roles; `permission` is the base role that they map to
    const base = { maintain: 'write', triage: 'read' }[permission] ?? permission;
    return { status: 200, body: { permission: base, role_name: permission, user: null } };
  }),
  route('POST', '/git/blobs', (call, state) => {
    const { content, encoding } = call.body as { content: string; encoding: string };
    const sha = state.store.blob(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
    return { status: 201, body: { sha, url: `${state.url}/x` } };
  }),
  route('GET', '/git/blobs/(?<sha>\\w+)', (call, state) => {
    const sha = call.params.sha ?? '';
    const object = state.store.files.read(sha);
    if (object?.type !== 'blob') return error(404, 'Not Found');
    const content = object.content.toString('base64');
    return {
      status: 200,
      body: sample('blob', { sha, content, encoding: 'base64', size: object.content.length }),
    };
  }),
  route('POST', '/git/trees', (call, state) => {
    const { base_tree: base, tree } = call.body as {
      base_tree?: string;
      tree: { path: string; mode: string; sha?: string | null; content?: string }[];
    };
    if (base !== undefined && state.store.files.read(base) === null) return error(404, 'Not Found');
    // null deletes a file; one of both must be there, and only one
    if (tree.some(t => (t.sha === undefined) === (t.content === undefined)))
      return error(422, 'Must supply either tree.sha or tree.content');
    const changes = tree.map(
      (t): TreeChange => ({
        path: t.path,
        mode: t.mode,
        sha: t.content === undefined ? (t.sha ?? null) : state.store.blob(t.content),
      }),
    );
    const sha = state.store.tree(base ?? null, changes);
    return { status: 201, body: { sha, url: `${state.url}/x`, truncated: false, tree: [] } };
  }),
  route('GET', '/git/trees/(?<sha>[^/]+)', (call, state) => {
    const { store } = state;
    const sha = store.files.readTree(
      store.commitOf(call.params.sha ?? '') ?? call.params.sha ?? '',
    );
    if (store.files.read(sha)?.type !== 'tree') return error(404, 'Not Found');
    const url = `${state.url}/x`;
    const deep = call.query.get('recursive') !== null;
    const tree = listTree(store, sha, deep).map(entry => ({ ...entry, url }));
    return { status: 200, body: { sha, url, truncated: false, tree } };
  }),
  route('POST', '/git/commits', (call, state) => {
    const {
      message,
      tree,
      parents = [],
    } = call.body as { message: string; tree: string; parents?: string[] };
    const { login, id } = state.actor;
    const who = { name: login, email: `${id}+${login}@users.noreply.github.com` };
    const sha = state.store.commit(tree, parents, message, new Date(), who);
    return { status: 201, body: commitBody(state, sha) };
  }),
  route('GET', '/git/commits/(?<sha>\\w+)', (call, state) =>
    state.store.files.read(call.params.sha ?? '')?.type === 'commit'
      ? { status: 200, body: commitBody(state, call.params.sha ?? '') }
      : error(404, 'Not Found'),
  ),
  route('GET', '/pulls', (call, state) => {
    const head = call.query.get('head')?.split(':')[1];
    const wanted = call.query.get('state') ?? 'open';
    const found = [...state.pulls.values()].filter(
      p => (head === undefined || p.head === head) && (wanted === 'all' || p.state === wanted),
    );
    // by default the newest come first
    const sorted = found.sort((a, b) => b.number - a.number);
    const shown = call.query.get('direction') === 'asc' ? sorted.toReversed() : sorted;
    return {
      status: 200,
      body: pageOf(shown, call.query).map(p => pullBody(state, p, 'pull-request-simple')),
    };
  }),
  route('POST', '/pulls', (call, state) => {
    const {
      title,
      body = '',
      head,
      base,
      draft = false,
    } = call.body as { title: string; body?: string; head: string; base: string; draft?: boolean };
    // the default of new repositories; told before anything else of the request is looked at
    if (state.surface.pullRequestsForbidden === true && state.actor.login === bot.login)
      return error(403, 'GitHub Actions is not permitted to create or approve pull requests.');
    const unknown = (['head', 'base'] as const).filter(
      field => headOf(state, field === 'head' ? head : base) === null,
    );
    if (unknown.length > 0)
      return error(422, 'Validation Failed', {
        errors: unknown.map(field => ({ resource: 'PullRequest', field, code: 'invalid' })),
      });
    if (head === base)
      return error(422, 'Validation Failed', {
        errors: [
          {
            resource: 'PullRequest',
            code: 'custom',
            message: `No commits between ${base} and ${head}`,
          },
        ],
      });
    if ([...state.pulls.values()].some(p => p.state === 'open' && p.head === head)) {
      return error(422, 'Validation Failed', {
        errors: [{ code: 'custom', message: `A pull request already exists for ${head}.` }],
      });
    }
    const number = Math.max(0, ...state.pulls.keys(), ...state.issues.keys()) + 1;
    const pull: PullState = {
      number,
      title,
      body,
      head,
      base,
      draft,
      state: 'open',
      fork: false,
      labels: [],
      user: state.actor,
      createdAt: new Date().toISOString(),
    };
    state.pulls.set(number, pull);
    return { status: 201, body: pullBody(state, pull, 'pull-request') };
  }),
  route('GET', '/pulls/(?<number>\\d+)', (call, state) => {
    const pull = state.pulls.get(numberOf(call.params.number));
    return pull === undefined
      ? error(404, 'Not Found')
      : { status: 200, body: pullBody(state, pull, 'pull-request') };
  }),
  route('PATCH', '/pulls/(?<number>\\d+)', (call, state) => {
    const pull = state.pulls.get(numberOf(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    const to = call.body as Partial<Pick<PullState, 'title' | 'body' | 'state'>>;
    const { title = pull.title, body = pull.body, state: now = pull.state } = to;
    if (now === 'closed' && pull.state === 'open') pull.closedBy = state.actor;
    Object.assign(pull, { title, body, state: now });
    return { status: 200, body: pullBody(state, pull, 'pull-request') };
  }),
  route('GET', '/issues/(?<number>\\d+)/comments', (call, state) => ({
    status: 200,
    body: pageOf(
      [...state.comments.values()].filter(
        c =>
          c.issue === numberOf(call.params.number) &&
          c.path === undefined &&
          isSince(c, call.query.get('since')),
      ),
      call.query,
    ).map(c => commentBody(state, c, call.accept)),
  })),
  route('GET', '/issues/comments/(?<id>\\d+)', (call, state) => {
    const comment = state.comments.get(numberOf(call.params.id));
    return comment === undefined || comment.path !== undefined
      ? error(404, 'Not Found')
      : { status: 200, body: commentBody(state, comment) };
  }),
  route('GET', '/pulls/comments/(?<id>\\d+)', (call, state) => {
    const comment = state.comments.get(numberOf(call.params.id));
    return comment?.path === undefined
      ? error(404, 'Not Found')
      : { status: 200, body: reviewCommentBody(state, comment) };
  }),
  route('POST', '/issues/(?<number>\\d+)/comments', (call, state) => {
    const comment: CommentState = {
      id: state.nextId++,
      issue: numberOf(call.params.number),
      body: (call.body as { body: string }).body,
      user: state.surface.self ?? bot,
    };
    state.comments.set(comment.id, comment);
    return { status: 201, body: commentBody(state, comment) };
  }),
  route('PATCH', '/issues/comments/(?<id>\\d+)', (call, state) => {
    const comment = state.comments.get(numberOf(call.params.id));
    if (comment === undefined) return error(404, 'Not Found');
    comment.body = (call.body as { body: string }).body;
    return { status: 200, body: commentBody(state, comment) };
  }),
  route('POST', '/issues/(?<number>\\d+)/labels', (call, state) => {
    const { labels } = call.body as { labels: string[] };
    state.pulls.get(numberOf(call.params.number))?.labels.push(...labels);
    return {
      status: 200,
      body: labels.map((name, i) =>
        sample('label', { id: i + 1, name, description: null, color: 'ededed', default: false }),
      ),
    };
  }),
  ...['/issues/comments', '/pulls/comments'].map(path =>
    route('POST', `${path}/(?<id>\\d+)/reactions`, (call, state) => {
      const { content } = call.body as { content: string };
      state.reactions.push({ comment: numberOf(call.params.id), content });
      return { status: 201, body: sample('reaction', { id: 1, content, user: person(bot) }) };
    }),
  ),
];
