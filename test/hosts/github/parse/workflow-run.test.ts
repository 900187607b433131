import { describe, expect, it } from 'vitest';
import { parseWorkflowRun } from '../../../../src/hosts/github/parse/workflow-run.ts';

const repository = { id: 1 };
const pull = (number: number, head: number, base: number) => ({
  number,
  head: { ref: 'topic', repo: { id: head } },
  base: { ref: 'main', repo: { id: base } },
});
const run = {
  id: 5,
  workflow_id: 6,
  name: 'CI',
  conclusion: 'failure',
  head_branch: 'topic',
  head_sha: 'a'.repeat(40),
  head_repository: repository,
  repository,
  actor: { login: 'ann', id: 7, type: 'User' },
  pull_requests: [pull(8, 1, 1)],
};
const parse = (more: object = {}, action = 'completed') =>
  parseWorkflowRun({ action, workflow_run: { ...run, ...more } });

describe('a failed run', () => {
  it('has no pull request of another repository', () => {
    expect(parse({ pull_requests: [pull(8, 2, 1), pull(9, 1, 2)] })).toMatchObject({
      pull: undefined,
    });
    expect(parse({ pull_requests: null })).toMatchObject({ pull: undefined });
  });
});

it.each([
  ['timed_out', 'failed-workflow'],
  ['success', 'watched'],
  ['cancelled', 'watched'],
  ['startup_failure', 'watched'],
  ['action_required', 'watched'],
  ['stale', 'watched'],
])('a run that ended with %s is %s', (conclusion, kind) => {
  expect(parse({ conclusion })).toMatchObject({ kind });
});

it.each([
  ['another action', {}, 'requested', 'not known yet'],
  [
    'a success of a fork',
    { conclusion: 'success', head_repository: null },
    'completed',
    'of a fork',
  ],
  ['no result yet', { conclusion: null }, 'completed', 'not known yet'],
  ['no branch', { head_branch: null }, 'completed', 'belongs to no branch'],
  ['an odd commit', { head_sha: 'main' }, 'completed', 'lacks a field'],
])('%s is declined', (_, more, action, words) => {
  expect(parse(more, action)).toEqual({
    kind: 'declined',
    reason: expect.stringContaining(words),
  });
});
