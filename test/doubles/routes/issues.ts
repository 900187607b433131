/** Issues of the GitHub double: list by label, create. */
import { sample } from '../../contract/sample.ts';
import { bot, type IssueState, pageOf, person, type Route, type State } from '../github-routes.ts';

export function issueBody(state: State, number: number, issue: IssueState) {
  return sample('issue', {
    number,
    title: issue.title ?? '',
    body: issue.body ?? '',
    state: issue.state ?? 'open',
    user: person(issue.user ?? bot),
    labels: issue.labels.map((name, i) => ({ id: i + 1, name, color: 'ededed', default: false })),
    html_url: `${state.url}/${state.repository}/issues/${number}`,
  });
}

const base = '/repos/(?<owner>[^/]+)/(?<repo>[^/]+)';

export const issueRoutes: readonly Route[] = [
  {
    method: 'GET',
    pattern: new RegExp(`^${base}/issues$`),
    answer: (call, state) => {
      const labels = call.query.get('labels')?.split(',') ?? [];
      const found = [...state.issues].filter(
        ([, issue]) =>
          (issue.state ?? 'open') === (call.query.get('state') ?? 'open') &&
          labels.every(label => issue.labels.includes(label)),
      );
      // by default the newest come first
      const isAsc = call.query.get('direction') === 'asc';
      const sorted = found.toSorted(([a], [b]) => (isAsc ? a - b : b - a));
      return {
        status: 200,
        body: pageOf(sorted, call.query).map(([n, issue]) => issueBody(state, n, issue)),
      };
    },
  },
  {
    method: 'POST',
    pattern: new RegExp(`^${base}/issues$`),
    answer: (call, state) => {
      const {
        title,
        body,
        labels = [],
      } = call.body as {
        title: string;
        body: string;
        labels?: string[];
      };
      const number = Math.max(0, ...state.pulls.keys(), ...state.issues.keys()) + 1;
      const issue = { title, body, labels, user: bot };
      state.issues.set(number, issue);
      return { status: 201, body: issueBody(state, number, issue) };
    },
  },
];
