/** Threads of reviews of pull requests: comments on lines of the diff, read and resolved over GraphQL. */
import {
  error,
  headOf,
  numberOf,
  pagesOf,
  type Route,
  route,
  type State,
} from '../github-routes.ts';
import { bySide, type NewThread, openThread, shownLines, threadBody } from './delivery.ts';
import type { FindingThread } from './surface-state.ts';

/** True if the lines are no longer in the head, as GitHub judges it. */
function isOutdated(state: State, { pull, commit, path, start, line }: FindingThread): boolean {
  const head = state.pulls.get(pull)?.head ?? '';
  const linesAt = (ref: string) =>
    state.store.tryGit(['show', `${ref}:${path}`])?.split('\n') ?? [];
  const text = linesAt(commit)
    .slice(start - 1, line)
    .join('\n');
  return !linesAt(headOf(state, head) ?? '')
    .join('\n')
    .includes(text);
}

/** The threads of a pull request as a query reads them. */
export function findingNodes(state: State, number: number) {
  return state.surface.findings
    .filter(t => t.pull === number)
    .map(thread => ({
      id: `PRRT_${thread.id}`,
      isResolved: thread.isResolved,
      isOutdated: isOutdated(state, thread),
      path: thread.path,
      line: thread.line,
      startLine: thread.start === thread.line ? null : thread.start,
      diffSide: 'RIGHT' as const,
      comments: pagesOf([
        {
          fullDatabaseId: String(thread.id),
          body: thread.body,
          createdAt: '2026-01-01T00:00:00Z',
          lastEditedAt: null,
          isMinimized: false,
          author: {
            __typename: thread.user.type,
            login: thread.user.login.replace('[bot]', ''),
          },
        },
      ]),
    }));
}

/** Resolves a thread; false if there is none. */
export function resolveFinding(state: State, id: string): boolean {
  const thread = state.surface.findings.find(t => `PRRT_${t.id}` === id);
  if (thread === undefined) return false;
  thread.isResolved = true;
  return true;
}

export const findingRoutes: readonly Route[] = [
  route('POST', '/pulls/(?<number>\\d+)/comments', (call, state) => {
    const found = bySide(state, numberOf(call.params.number));
    if (found === null) return error(404, 'Not Found');
    const { commit_id: commit, ...about } = call.body as NewThread & { commit_id: string };
    const shown = shownLines(state, found.base, commit, about.path);
    if (!shown.has(about.line) || !shown.has(about.start_line ?? about.line))
      return error(422, 'Validation Failed', {
        errors: [
          {
            resource: 'PullRequestReviewComment',
            code: 'custom',
            field: 'pull_request_review_thread.line',
            message: 'pull_request_review_thread.line must be part of the diff',
          },
        ],
      });
    const thread = openThread(state, { pull: found.pull.number, commit }, about);
    return { status: 201, body: threadBody(state, thread) };
  }),
];
