/** Review threads, checks and comparisons of the GitHub double. */
import { sample } from '../../contract/sample.ts';
import {
  bot,
  type CommentState,
  error,
  numberOf,
  type Person,
  pageOf,
  pagesOf,
  person,
  type Route,
  reviewCommentBody,
  route,
  type State,
} from '../github-routes.ts';
import { threadBody } from './delivery.ts';
import { findingNodes } from './finding-threads.ts';
import { findRefusal } from './refs.ts';

/** A review thread; its comments are those of the double that have its path, by their ids. */
export interface ThreadState {
  readonly id: string;
  readonly pull: number;
  readonly comments: readonly number[];
  resolved?: boolean;
  readonly line?: number | null;
  readonly startLine?: number;
  readonly side?: 'LEFT' | 'RIGHT';
  /** False: the token may not resolve it. */
  readonly canResolve?: boolean;
}

export interface CheckState {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  /** Null while it is at work. */
  readonly conclusion: string | null;
  /** Slug of the app that made it. */
  readonly app: string;
  readonly summary?: string;
}

/** A commit status, the newest of its context. */
export interface StatusState {
  readonly context: string;
  readonly sha: string;
  readonly state: 'error' | 'failure' | 'pending' | 'success';
  readonly description: string;
}

/** Actors have no `[bot]` in GraphQL. */
const actor = ({ login, type }: Person) => ({
  __typename: type,
  login: login.replace(/\[bot\]$/, ''),
});

const node = (comment: CommentState) => ({
  fullDatabaseId: String(comment.id),
  body: comment.body,
  createdAt: comment.createdAt ?? '2026-01-01T00:00:00Z',
  lastEditedAt: comment.updatedAt ?? null,
  isMinimized: comment.hidden === true,
  author: actor(comment.user),
});

/** One that has happened to a pull request. */
const event = (__typename: string) => ({ __typename });

/** The pull request as the queries read it. */
export function reviewsOf(state: State, number: number) {
  const { surface, comments } = state;
  const pull = state.pulls.get(number);
  if (pull === undefined) return null;
  const { reviewers, teams, assignees, autoMerge } = pull;
  // a reply belongs to the thread of the comment that it answers
  const repliesTo = (ids: readonly number[]) =>
    [...comments.values()].filter(c => c.inReplyTo !== undefined && ids.includes(c.inReplyTo));
  return {
    isInMergeQueue: pull.queued === true,
    timelineItems: pagesOf([
      ...[...(reviewers ?? []), ...(teams ?? [])].map(() => event('ReviewRequestedEvent')),
      ...(assignees ?? []).map(() => event('AssignedEvent')),
      ...(autoMerge === undefined ? [] : [event('AutoSquashEnabledEvent')]),
    ]),
    reviews: pagesOf(
      surface.reviews
        .filter(r => r.pull === number)
        .map(r => ({
          fullDatabaseId: String(r.id),
          body: r.body,
          state: r.verdict ?? 'COMMENTED',
          submittedAt: r.submittedAt,
          lastEditedAt: null,
          isMinimized: false,
          author: actor(r.user),
        })),
    ),
    reviewThreads: pagesOf(
      surface.threads
        .filter(t => t.pull === number)
        .map(thread => {
          const own = thread.comments.flatMap(id => comments.get(id) ?? []);
          return {
            id: thread.id,
            isResolved: thread.resolved === true,
            isOutdated: false,
            path: own[0]?.path ?? '',
            line: thread.line === undefined ? 4 : thread.line,
            startLine: thread.startLine ?? null,
            diffSide: thread.side ?? 'RIGHT',
            comments: pagesOf([...new Set([...own, ...repliesTo(thread.comments)])].map(node)),
          };
        })
        .concat(findingNodes(state, number)),
    ),
  };
}

const appBody = (slug: string) => ({
  id: 1,
  node_id: 'x',
  slug,
  name: slug,
  owner: person(bot),
  description: null,
  external_url: 'http://127.0.0.1/',
  html_url: 'http://127.0.0.1/',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  permissions: {},
  events: [],
});

const status = { A: 'added', D: 'removed', M: 'modified', R: 'renamed' } as const;

/** Files of a comparison, from the merge base to the head. */
function comparedFiles({ store }: State, range: readonly [string, string]) {
  return store
    .git(['diff', '--no-renames', '--name-status', ...range])
    .split('\n')
    .filter(Boolean)
    .map(row => {
      const [letter = 'M', filename = ''] = row.split('\t');
      const diff = store.git(['diff', '--no-renames', ...range, '--', filename]);
      const at = diff.indexOf('\n@@ ');
      const lines = at < 0 ? [] : diff.slice(at + 1).split('\n');
      const count = (sign: string) => lines.filter(l => l.startsWith(sign)).length;
      return sample('diff-entry', {
        filename,
        status: status[letter as keyof typeof status],
        sha: null,
        additions: count('+'),
        deletions: count('-'),
        ...(at < 0 ? {} : { patch: lines.join('\n') }),
      });
    });
}

/** Commits of a comparison, oldest first. */
function comparedCommits({ store }: State, [base, head]: readonly [string, string]) {
  return store
    .git(['rev-list', '--reverse', `${base}..${head}`])
    .split('\n')
    .filter(Boolean)
    .map(sha => {
      const [name = '', ...message] = store
        .git(['show', '-s', '--format=%an%n%B', sha])
        .split('\n');
      const whole = sample('commit', { sha });
      const by = { name, email: 'x@example.com', date: '2026-01-01T00:00:00Z' };
      return {
        ...whole,
        commit: { ...(whole.commit as object), author: by, message: message.join('\n').trim() },
      };
    });
}

export const threadRoutes: readonly Route[] = [
  route('GET', '/compare/(?<basehead>.+)', (call, state) => {
    const [base = '', head = ''] = (call.params.basehead ?? '').split('...');
    const { store } = state;
    const [of, to] = [store.commitOf(base), store.commitOf(head)];
    if (of === undefined || to === undefined) return error(404, 'Not Found');
    const [before, after] = [store.files.ancestors(of), store.files.ancestors(to)];
    // the first that both have, by the order of the head's ancestors
    const mergeBase = [...after].find(c => before.has(c));
    if (mergeBase === undefined)
      return error(404, `No common ancestor between ${base} and ${head}.`);
    const missing = (of: ReadonlySet<string>, from: ReadonlySet<string>) =>
      [...of].filter(c => !from.has(c)).length;
    const [ahead, behind] = [missing(after, before), missing(before, after)];
    const status =
      ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged';
    return {
      status: 200,
      body: sample('commit-comparison', {
        status,
        ahead_by: ahead,
        behind_by: behind,
        merge_base_commit: sample('commit', { sha: mergeBase }),
        commits: comparedCommits(state, [mergeBase, to]),
        files: comparedFiles(state, [mergeBase, to]),
      }),
    };
  }),
  route('POST', '/pulls/(?<number>\\d+)/comments/(?<id>\\d+)/replies', (call, state) => {
    const first = state.comments.get(numberOf(call.params.id));
    if (first?.path === undefined) return error(404, 'Not Found');
    // a reply can only go to the first comment of a thread
    if (first.inReplyTo !== undefined) return error(422, 'Validation Failed', { errors: [] });
    const comment: CommentState = {
      id: state.nextId++,
      issue: numberOf(call.params.number),
      body: (call.body as { body: string }).body,
      user: state.surface.self ?? state.actor,
      path: first.path,
      inReplyTo: first.id,
    };
    state.comments.set(comment.id, comment);
    return { status: 201, body: reviewCommentBody(state, comment) };
  }),
  route('PATCH', '/pulls/comments/(?<id>\\d+)', (call, state) => {
    const { body } = call.body as { body: string };
    const thread = state.surface.findings.find(t => t.id === numberOf(call.params.id));
    if (thread !== undefined) {
      thread.body = body;
      return { status: 200, body: threadBody(state, thread) };
    }
    const comment = state.comments.get(numberOf(call.params.id));
    if (comment?.path === undefined) return error(404, 'Not Found');
    comment.body = body;
    return { status: 200, body: reviewCommentBody(state, comment) };
  }),
  route('PUT', '/pulls/(?<number>\\d+)/update-branch', (call, state) => {
    const { store, pulls } = state;
    const pull = pulls.get(numberOf(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    const [head, base] = [store.commitOf(pull.head) ?? '', store.commitOf(pull.base) ?? ''];
    const { expected_head_sha: expected } = call.body as { expected_head_sha?: string };
    if ((expected ?? head) !== head)
      return error(422, 'expected head sha didn’t match current head ref.');
    if (pull.queued === true) return error(422, 'Pull request branch is in a merge queue.');
    if (store.isAncestor(base, head))
      return error(422, 'There are no new commits on the base branch.');
    const tree = store.tryGit(['merge-tree', '--write-tree', head, base]);
    if (tree === undefined) return error(422, 'merge conflict between base and head');
    const workflow = store
      .git(['diff', '--name-only', head, tree, '--', '.github/workflows'])
      .split('\n')[0];
    if (workflow && state.surface.workflowsForbidden === true)
      return error(
        403,
        `refusing to allow a GitHub App to create or update workflow \`${workflow}\` without \`workflows\` permission`,
      );
    const { login, id } = state.actor;
    const merge = store.writeCommit({
      tree,
      parents: [head, base],
      message: `Merge branch '${pull.base}' into ${pull.head}`,
      at: new Date(state.now()),
      by: { name: login, email: `${id}+${login}@users.noreply.github.com` },
    });
    const refused = findRefusal(state, { ref: `refs/heads/${pull.head}`, now: head, after: merge });
    if (refused !== undefined) return error(422, refused);
    store.git(['update-ref', `refs/heads/${pull.head}`, merge]);
    return {
      status: 202,
      body: { message: 'Updating pull request branch.', url: 'http://127.0.0.1/' },
    };
  }),
  route('GET', '/commits/(?<ref>[^/]+)/check-runs', (call, { surface }) => {
    const found = surface.checks.filter(c => c.sha === call.params.ref);
    return {
      status: 200,
      body: {
        total_count: found.length,
        check_runs: pageOf(found, call.query).map(
          ({ id, name, conclusion, app, sha, summary = null }) => {
            const status = conclusion === null ? 'in_progress' : 'completed';
            const whole = sample('check-run', { id, name, conclusion, status });
            return {
              ...whole,
              head_sha: sha,
              app: appBody(app),
              output: { ...(whole.output as object), title: null, summary },
            };
          },
        ),
      },
    };
  }),
  route('GET', '/commits/(?<ref>[^/]+)/status', (call, state) => {
    const sha = call.params.ref ?? '';
    const found = state.surface.statuses.filter(s => s.sha === sha);
    const fill = ({ context, state: now, description }: StatusState, id: number) =>
      sample('simple-commit-status', { id, context, state: now, description, target_url: null });
    return {
      status: 200,
      body: sample('combined-commit-status', {
        sha,
        state: found.some(s => s.state !== 'success') ? 'failure' : 'success',
        total_count: found.length,
        statuses: pageOf(found, call.query).map(fill),
      }),
    };
  }),
];
