/** Operations that commands and triggers use: issues, timelines, reviews, teams, jobs and their logs. */
import { sample } from '../../contract/sample.ts';
import {
  error,
  numberOf,
  person,
  type Route,
  reviewCommentBody,
  route,
  type State,
} from '../github-routes.ts';
import { renderedBody } from './attachments.ts';
import { postedReview, threadBody } from './delivery.ts';
import type { IssueState, ReviewState } from './surface-state.ts';

const bare = (method: string, pattern: RegExp, answer: Route['answer']): Route => ({
  method,
  pattern,
  answer,
});

export const surfaceRoutes: readonly Route[] = [
  bare('GET', /^\/user$/, (_call, { surface }) =>
    surface.self === undefined
      ? error(403, 'Resource not accessible by integration')
      : {
          status: 200,
          body: sample('public-user', { ...person(surface.self), user_view_type: 'public' }),
        },
  ),
  bare(
    'GET',
    /^\/orgs\/(?<org>[^/]+)\/teams\/(?<team>[^/]+)\/memberships\/(?<login>[^/]+)$/,
    ({ params }, { surface, url }) => {
      const members = surface.teams.get(`${params.org}/${params.team}`) ?? [];
      const state = members.includes(params.login ?? '')
        ? 'active'
        : members.includes(`${params.login}?`)
          ? 'pending'
          : null;
      return state === null
        ? error(404, 'Not Found')
        : { status: 200, body: { url: `${url}/x`, role: 'member', state } };
    },
  ),
  route('GET', '/dependency-graph/compare/(?<basehead>.+)', (_call, { surface }) =>
    surface.dependencies === null
      ? error(403, 'Dependency review is not supported on this repository.')
      : {
          status: 200,
          body: surface.dependencies.map(({ change, ...rest }) => ({
            ...rest,
            change_type: change,
            ecosystem: 'npm',
            package_url: `pkg:npm/${rest.name}@${rest.version}`,
            license: 'MIT',
            source_repository_url: null,
            scope: 'runtime',
            vulnerabilities: [],
          })),
        },
  ),
  route('GET', '/issues/(?<number>\\d+)', ({ params, accept }, state) => {
    const number = numberOf(params.number);
    const pull = state.pulls.get(number);
    const issue: IssueState =
      state.surface.issues.get(number) ?? (pull === undefined ? {} : { state: pull.state });
    const somebody = { login: 'somebody', id: 20, type: 'User' } as const;
    return {
      status: 200,
      body: sample('issue', {
        number,
        ...renderedBody(state, issue.body ?? '', accept),
        state: issue.state ?? 'open',
        title: issue.title ?? 'x',
        labels: [],
        user: person(issue.user ?? somebody),
        closed_by: issue.state === 'closed' ? person(pull?.closedBy ?? somebody) : null,
        assignees: (issue.assignees ?? []).map(person),
      }),
    };
  }),
  route('GET', '/issues/(?<number>\\d+)/timeline', ({ params }, { surface }) => ({
    status: 200,
    body: surface.issues.get(numberOf(params.number))?.timeline ?? [],
  })),
  route('GET', '/pulls/(?<number>\\d+)/comments', ({ params }, state) => ({
    status: 200,
    body: [
      ...[...state.comments.values()]
        .filter(c => c.path !== undefined && c.issue === numberOf(params.number))
        .map(c => reviewCommentBody(state, c)),
      ...state.surface.findings
        .filter(t => t.pull === numberOf(params.number))
        .map(t => threadBody(state, t)),
    ],
  })),
  route('GET', '/pulls/(?<number>\\d+)/reviews', ({ params }, state) => ({
    status: 200,
    body: [
      ...state.surface.reviews
        .filter(r => r.pull === numberOf(params.number))
        .map(r => reviewBody(state, r)),
      ...state.reviews
        .filter(r => r.pull === numberOf(params.number))
        .map(r => postedReview(state, r)),
    ],
  })),
  route('GET', '/pulls/(?<number>\\d+)/reviews/(?<id>\\d+)', ({ params }, state) => {
    const review = state.surface.reviews.find(r => r.id === numberOf(params.id));
    return review === undefined
      ? error(404, 'Not Found')
      : { status: 200, body: reviewBody(state, review) };
  }),
  route('GET', '/actions/runs/(?<run>\\d+)/jobs', ({ params }, { surface }) => {
    const jobs = surface.jobs.get(numberOf(params.run)) ?? [];
    return {
      status: 200,
      body: {
        total_count: jobs.length,
        jobs: jobs.map(job =>
          sample('job', { ...job, run_id: numberOf(params.run), status: 'completed' }),
        ),
      },
    };
  }),
  route('GET', '/actions/jobs/(?<job>\\d+)/logs', ({ params }, { url }) => ({
    status: 302,
    headers: { location: `${url}/_logs/${params.job}` },
  })),
];

function reviewBody(state: State, review: ReviewState) {
  return sample('pull-request-review', {
    id: review.id,
    body: review.body,
    state: review.verdict ?? 'COMMENTED',
    commit_id: review.commit ?? null,
    user: person(review.user),
    submitted_at: review.submittedAt,
    author_association: 'MEMBER',
    pull_request_url: `${state.url}/repos/${state.repository}/pulls/${review.pull}`,
  });
}
