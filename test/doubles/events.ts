/** GitHub events with the fields that Photon reads, and the people who cause them. */
import type { GitHubDouble } from './github.ts';
import type { CommentState, Person, PullState } from './github-routes.ts';
import { sampleTask } from './sample.ts';

export const writer: Person = { login: 'wendy', id: 11, type: 'User' };
export const stranger: Person = { login: 'sid', id: 12, type: 'User' };
export const commentTime = '2026-02-01T12:00:00Z';

export interface CommentFields {
  readonly body?: string;
  readonly by?: Person;
  readonly action?: string;
  readonly pull?: boolean;
  readonly issueBy?: Person;
  readonly number?: number;
  readonly id?: number;
  readonly at?: string;
}

/** An issue_comment event with the fields that Photon reads. */
export function comment({
  body = `/photon fix ${sampleTask}`,
  by = writer,
  action = 'created',
  pull = false,
  issueBy = writer,
  number = 5,
  id = 900,
  at = commentTime,
}: CommentFields = {}) {
  const issue = {
    number,
    title: 'Discount',
    body: 'It is ten times too much.',
    user: issueBy,
    ...(pull ? { pull_request: {} } : {}),
  };
  return {
    name: 'issue_comment',
    payload: { action, comment: { id, body, user: by, created_at: at }, issue },
  };
}

/** A pull_request_review_comment event on a line of src/price.js in pull request 3. */
export const reviewComment = (body: string, { id = 900, line = 4 } = {}) => ({
  name: 'pull_request_review_comment',
  payload: {
    action: 'created',
    comment: { id, body, user: writer, created_at: commentTime, path: 'src/price.js', line },
    pull_request: { number: 3, title: 'Work', body: '', user: writer },
  },
});

/** Puts a comment on GitHub, of Wendy on issue 5 or as `about` says. */
export const addComment = (
  { comments }: GitHubDouble['state'],
  about: Partial<CommentState> & Pick<CommentState, 'id' | 'body'>,
) => comments.set(about.id, { issue: 5, user: writer, createdAt: commentTime, ...about });

/** Gives Wendy write access and Sid read access, and creates issue 5. */
export const permit = (github: GitHubDouble) => {
  github.state.issues.set(5, { labels: [] });
  github.state.permissions.set('wendy', 'write');
  github.state.permissions.set('sid', 'read');
};

/** Pushes a commit with these files to `feature`, at a time that GitHub records. Returns its id. */
export function pushHead(
  { store, state }: GitHubDouble,
  files: Parameters<GitHubDouble['store']['push']>[1],
  at = '2026-02-01T11:00:00Z',
): string {
  const sha = store.push('feature', files, 'Work', new Date(at));
  state.activities.push({ ref: 'refs/heads/feature', after: sha, timestamp: at });
  return sha;
}

/** Opens a pull request of Wendy's, number 3, from `feature` into `main`, or as `more` says. */
export function addPull(state: GitHubDouble['state'], more: Partial<PullState> = {}): void {
  const about = { title: 'Work', body: '', state: 'open', head: 'feature', base: 'main' } as const;
  const pull = {
    number: 3,
    ...about,
    draft: false,
    fork: false,
    labels: [],
    user: writer,
    ...more,
  };
  state.pulls.set(pull.number, pull);
}
