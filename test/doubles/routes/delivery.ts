/** Metadata and reviews of pull requests, and workflows started by hand. */
import { sample } from '../../contract/sample.ts';
import {
  error,
  headOf,
  numberOf,
  pageOf,
  person,
  pullBody,
  type ReviewState,
  type Route,
  route,
  type State,
} from '../github-routes.ts';
import { issueBody } from './issues.ts';
import type { FindingThread } from './surface-state.ts';

export function postedReview(state: State, review: ReviewState) {
  const page = `${state.url}/${state.repository}/pull/${review.pull}`;
  return sample('pull-request-review', {
    id: review.id,
    body: review.body,
    user: person(review.user),
    commit_id: review.commit,
    html_url: `${page}#pullrequestreview-${review.id}`,
    pull_request_url: page,
    state: 'COMMENTED',
  });
}

/** Lines of the new side in the hunks of a diff. */
export function shownLines(state: State, base: string, head: string, path: string): Set<number> {
  const diff = state.store.tryGit(['diff', '-U3', `${base}...${head}`, '--', path]) ?? '';
  const shown = new Set<number>();
  for (const [, start = '0', count = '1'] of diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let i = 0; i < Number(count); i++) shown.add(Number(start) + i);
  return shown;
}

export const bySide = (state: State, number: number) => {
  const pull = state.pulls.get(number);
  if (pull === undefined) return null;
  const head = pull.headSha ?? headOf(state, pull.head) ?? '';
  return { pull, head, base: headOf(state, pull.base) ?? '' };
};

export type NewThread = Pick<FindingThread, 'path' | 'line' | 'body'> & {
  readonly start_line?: number;
};

/** Opens a thread of the owner of the token. */
export function openThread(
  state: State,
  { pull, commit }: Pick<FindingThread, 'pull' | 'commit'>,
  { path, line, start_line: start = line, body }: NewThread,
): FindingThread {
  const thread = {
    id: state.nextId++,
    pull,
    commit,
    path,
    start,
    line,
    body,
    user: state.actor,
    isResolved: false,
  };
  state.surface.findings.push(thread);
  return thread;
}

/** The first comment of a thread. */
export function threadBody(state: State, { id, body, path, line, user, pull }: FindingThread) {
  return sample('pull-request-review-comment', {
    id,
    body,
    path,
    line,
    user: person(user),
    pull_request_url: `${state.url}/repos/${state.repository}/pulls/${pull}`,
  });
}

export const deliveryRoutes: readonly Route[] = [
  route('POST', '/pulls/(?<number>\\d+)/requested_reviewers', (call, state) => {
    const pull = state.pulls.get(numberOf(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    const { reviewers = [], team_reviewers: teams = [] } = call.body as {
      reviewers?: string[];
      team_reviewers?: string[];
    };
    pull.reviewers = [...(pull.reviewers ?? []), ...reviewers];
    pull.teams = [...(pull.teams ?? []), ...teams];
    return { status: 201, body: pullBody(state, pull, 'pull-request-simple') };
  }),
  route('POST', '/issues/(?<number>\\d+)/assignees', (call, state) => {
    const pull = state.pulls.get(numberOf(call.params.number));
    if (pull === undefined) return error(404, 'Not Found');
    pull.assignees = [
      ...(pull.assignees ?? []),
      ...(call.body as { assignees: string[] }).assignees,
    ];
    return { status: 201, body: sample('issue', { number: pull.number, labels: [] }) };
  }),
  route('PATCH', '/issues/(?<number>\\d+)', (call, state) => {
    const number = numberOf(call.params.number);
    const issue = state.issues.get(number);
    if (issue === undefined) return error(404, 'Not Found');
    Object.assign(issue, call.body);
    return { status: 200, body: issueBody(state, number, issue) };
  }),
  route('POST', '/actions/workflows/(?<workflow>[^/]+)/dispatches', (call, state) => {
    const { ref } = call.body as { ref: string };
    if (headOf(state, ref) === undefined) return error(422, 'No ref found for it');
    state.dispatched.push({ workflow: call.params.workflow ?? '', ref });
    return { status: 204 };
  }),
  route('GET', '/pulls/(?<number>\\d+)/files', (call, state) => {
    const found = bySide(state, numberOf(call.params.number));
    if (found === null) return error(404, 'Not Found');
    const names = state.store.git(['diff', '--name-only', `${found.base}...${found.head}`]);
    const files = names
      .split('\n')
      .filter(Boolean)
      .map(filename => {
        const diff = state.store.git(['diff', `${found.base}...${found.head}`, '--', filename]);
        const at = diff.indexOf('\n@@ ');
        const patch = at < 0 ? {} : { patch: diff.slice(at + 1) };
        return sample('diff-entry', { filename, status: 'modified', sha: null, ...patch });
      });
    return { status: 200, body: pageOf(files, call.query) };
  }),
  route('POST', '/pulls/(?<number>\\d+)/reviews', (call, state) => {
    const found = bySide(state, numberOf(call.params.number));
    if (found === null) return error(404, 'Not Found');
    const {
      body,
      commit_id: commit,
      comments = [],
    } = call.body as {
      body: string;
      commit_id: string;
      comments?: ReviewState['comments'];
    };
    for (const c of comments) {
      const shown = shownLines(state, found.base, commit, c.path);
      const lines = Array.from(
        { length: c.line - (c.start_line ?? c.line) + 1 },
        (_, i) => (c.start_line ?? c.line) + i,
      );
      if (lines.length === 0 || lines.some(l => !shown.has(l)))
        return error(422, 'Unprocessable Entity', { errors: ['Line could not be resolved'] });
    }
    const review = {
      id: state.nextId++,
      pull: found.pull.number,
      body,
      commit,
      user: state.actor,
      comments,
    };
    state.reviews.push(review);
    for (const each of comments) openThread(state, review, each);
    return { status: 200, body: postedReview(state, review) };
  }),
  route('PUT', '/pulls/(?<number>\\d+)/reviews/(?<id>\\d+)', (call, state) => {
    const review = state.reviews.find(r => r.id === numberOf(call.params.id));
    if (review === undefined) return error(404, 'Not Found');
    review.body = (call.body as { body: string }).body;
    return { status: 200, body: postedReview(state, review) };
  }),
];
