import { expect, it } from 'vitest';
import { whyNotSaved } from '../../../src/run/services/kept-set-ups.ts';

const main = { event: 'push', ref: 'refs/heads/main', sha: 'a', commit: 'a' };
const whyOf = (given: Partial<typeof main>) =>
  whyNotSaved({ ...main, ...given }, async () => 'main');

it.each(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch'])(
  'a run for %s on the default branch saves',
  async event => expect(await whyOf({ event })).toBeUndefined(),
);

it.each([
  // their ref and commit are those of the default branch, and their checkout often is not
  [{ event: 'pull_request_target' }],
  [{ event: 'issue_comment' }],
  [{ event: 'issues' }],
  [{ event: 'workflow_run' }],
  [{ event: 'pull_request', ref: 'refs/pull/1/merge' }],
  [{ ref: 'refs/heads/topic' }],
  [{ ref: 'refs/tags/main' }],
  // another commit was checked out
  [{ commit: 'b' }],
])('%j saves nothing', async given => expect(await whyOf(given)).toMatch(/nothing|only|not the/));
