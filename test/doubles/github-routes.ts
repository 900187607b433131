/** What the tests' double of GitHub holds beside that of the demonstration, and more of its operations. */
import {
  bot,
  type PullState as CorePull,
  type Route as CoreRoute,
  type State as CoreState,
  error,
  fillCommit,
  fillLabel,
  fillPull,
  type Person,
  route as routeOf,
} from '../../src/demo/github/api.ts';
import { sample } from '../contract/sample.ts';
import type { GitStore } from './git-store.ts';
import { renderedBody } from './routes/attachments.ts';
import type { RefRules } from './routes/refs.ts';
import type { SurfaceState } from './routes/surface-state.ts';

export type { Call, Person, Reply } from '../../src/demo/github/api.ts';
export {
  bot,
  error,
  fillCommit as commitBody,
  fillPull as pullBody,
} from '../../src/demo/github/api.ts';

export interface PullState extends CorePull {
  /** Its metadata; absent while there is none. */
  reviewers?: string[];
  teams?: string[];
  assignees?: string[];
  autoMerge?: string;
  /** True while it is in the merge queue. */
  queued?: boolean;
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

export interface State extends CoreState {
  readonly store: GitStore;
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
  readonly dispatched: { readonly workflow: string; readonly ref: string }[];
  /** Restrictions on refs. */
  refRules: RefRules;
  nextId: number;
  readonly surface: SurfaceState;
}

/** One page of a list: 30 entries, or as many as the request asks for, at most 100. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams): readonly T[] {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const from = (Number(query.get('page') ?? 1) - 1) * size;
  return all.slice(from, from + size);
}

export type Route = CoreRoute<State>;
export const route = routeOf<State>;

export const person = (user: Person) =>
  sample('simple-user', { ...user, avatar_url: 'http://127.0.0.1/', site_admin: false });

export function headOf(state: State, branch: string): string | undefined {
  return state.store.commitOf(`refs/heads/${branch}`);
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
  route('POST', '/git/blobs', (call, state) => {
    const { content, encoding } = call.body as { content: string; encoding: string };
    const sha = state.store.blob(Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
    return { status: 201, body: { sha, url: `${state.url}/x` } };
  }),
  route('GET', '/git/commits/(?<sha>\\w+)', (call, state) =>
    state.store.readCommit(call.params.sha ?? '') !== undefined
      ? { status: 200, body: fillCommit(state, call.params.sha ?? '') }
      : error(404, 'Not Found'),
  ),
  route('GET', '/pulls/(?<number>\\d+)', (call, state) => {
    const pull = state.pulls.get(Number(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    return { status: 200, body: fillPull(state, pull, 'pull-request') };
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
  route('POST', '/pulls', (_call, state) =>
    // the default of new repositories; told before anything else of the request is looked at
    state.surface.pullRequestsForbidden === true && state.actor.login === bot.login
      ? error(403, 'GitHub Actions is not permitted to create or approve pull requests.')
      : undefined,
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
    const body = pageOf(shown, call.query).map(p => fillPull(state, p, 'pull-request-simple'));
    return { status: 200, body };
  }),
  route('PATCH', '/pulls/(?<number>\\d+)', (call, state) => {
    const pull = state.pulls.get(Number(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    const to = call.body as Partial<Pick<PullState, 'title' | 'body' | 'state'>>;
    const { title = pull.title, body = pull.body, state: now = pull.state } = to;
    if (now === 'closed' && pull.state === 'open') pull.closedBy = state.actor;
    Object.assign(pull, { title, body, state: now });
    return { status: 200, body: fillPull(state, pull, 'pull-request') };
  }),
  route('POST', '/issues/(?<number>\\d+)/labels', (call, state) => {
    const { labels } = call.body as { labels: string[] };
    state.pulls.get(Number(call.params.number))?.labels.push(...labels);
    return { status: 200, body: labels.map((name, i) => fillLabel(state, name, i + 1)) };
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
  ...['/issues/comments', '/pulls/comments'].map(path =>
    route('POST', `${path}/(?<id>\\d+)/reactions`, (call, state) => {
      const { content } = call.body as { content: string };
      state.reactions.push({ comment: numberOf(call.params.id), content });
      return { status: 201, body: sample('reaction', { id: 1, content, user: person(bot) }) };
    }),
  ),
];
